//! A scripted model server on loopback. It plays replies in order and records what was sent, so that tests assert on the requests.
//!
//! ```ignore
//! let server = FakeModel::start([
//!     Reply::tool_call("get_page_content", json!({"doc_name": "a.pdf", "pages": "1,3"})),
//!     Reply::text("Revenue was $24.7 billion."),
//! ]);
//! // ... run something against server.base_url() ...
//! assert_eq!(server.requests()[1].tool_results(), ["..."]);
//! ```
//!
//! It runs on threads of its own and needs no async runtime, so tests of the binary can use it too. `GET .../models` answers with the list
//! of models (`fake`, or what `set_models` says) and takes nothing from the script. When the script is at its end the answer is a 400.

use std::collections::{BTreeSet, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use super::reply::Body;
pub use super::reply::Reply;

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Recorded {
    pub method: String,
    /// Path and query, such as `/v1/chat/completions`.
    pub path: String,
    /// Names are lower case.
    pub headers: Vec<(String, String)>,
    /// `Null` when the body is not JSON.
    pub body: Value,
}

impl Recorded {
    /// The value of a header; `name` in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    /// The messages.
    pub fn messages(&self) -> &[Value] {
        self.body["messages"].as_array().map_or(&[], Vec::as_slice)
    }

    /// The contents of the messages with this role, in order.
    pub fn texts(&self, role: &str) -> Vec<&str> {
        self.messages().iter().filter(|m| m["role"] == role).filter_map(|m| m["content"].as_str()).collect()
    }

    /// The contents of the tool messages, in order.
    pub fn tool_results(&self) -> Vec<&str> {
        self.texts("tool")
    }

    /// The names of the tools that were offered.
    pub fn tool_names(&self) -> Vec<&str> {
        self.body["tools"].as_array().into_iter().flatten().filter_map(|t| t["function"]["name"].as_str()).collect()
    }

    /// What a strict server would say against this history: a call without result, a result without call, an id used twice.
    pub fn history_fault(&self) -> Option<String> {
        let mut open: BTreeSet<String> = BTreeSet::new();
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for (i, message) in self.messages().iter().enumerate() {
            if message["role"] == "tool" {
                let id = message["tool_call_id"].as_str().unwrap_or_default();
                if !open.remove(id) {
                    return Some(format!("message {i}: tool result for {id:?}, which is no open call"));
                }
                continue;
            }
            if let Some(id) = open.first() {
                return Some(format!("message {i}: call {id:?} has no result"));
            }
            for call in message["tool_calls"].as_array().into_iter().flatten() {
                let id = call["id"].as_str().unwrap_or_default().to_owned();
                if id.is_empty() || !seen.insert(id.clone()) {
                    return Some(format!("message {i}: call id {id:?} is empty or used twice"));
                }
                open.insert(id);
            }
        }
        open.first().map(|id| format!("call {id:?} has no result"))
    }
}

type Responder = Box<dyn FnMut(&Recorded) -> Reply + Send>;

struct State {
    responder: Mutex<Responder>,
    requests: Mutex<Vec<Recorded>>,
    models: Mutex<Vec<String>>,
    strict: AtomicBool,
    forgetful: AtomicBool,
    closing: AtomicBool,
}

/// The server. It stops when dropped.
pub struct FakeModel {
    address: SocketAddr,
    state: Arc<State>,
}

impl FakeModel {
    /// Plays these replies in order.
    pub fn start(script: impl IntoIterator<Item = Reply>) -> Self {
        let mut script: VecDeque<Reply> = script.into_iter().collect();
        Self::answering(move |_| {
            script.pop_front().unwrap_or_else(|| Reply::api_error(400, "the script of the fake model is at its end", "script_end"))
        })
    }

    /// Answers each request as `responder` says; for tests with many conversations at once.
    pub fn answering(responder: impl FnMut(&Recorded) -> Reply + Send + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound socket has an address");
        let state = Arc::new(State {
            responder: Mutex::new(Box::new(responder)),
            requests: Mutex::new(Vec::new()),
            models: Mutex::new(vec!["fake".into()]),
            strict: AtomicBool::new(false),
            forgetful: AtomicBool::new(false),
            closing: AtomicBool::new(false),
        });
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if shared.closing.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let shared = Arc::clone(&shared);
                // A client that goes away in mid-reply is what some tests do on purpose.
                std::thread::spawn(move || drop(serve(stream, &shared)));
            }
        });
        Self { address, state }
    }

    /// Refuses (400) every history in which a call has no result, a result no call, or an id stands twice.
    pub fn strict(self) -> Self {
        self.state.strict.store(true, Ordering::SeqCst);
        self
    }

    /// Keeps no requests, for runs in which memory is looked at.
    pub fn forgetful(self) -> Self {
        self.state.forgetful.store(true, Ordering::SeqCst);
        self
    }

    /// What `GET /v1/models` lists; empty: 404.
    pub fn set_models(&self, models: &[&str]) {
        *self.state.models.lock().unwrap() = models.iter().map(|m| (*m).to_owned()).collect();
    }

    /// `http://127.0.0.1:PORT/v1`
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// `127.0.0.1:PORT`
    pub fn host(&self) -> String {
        self.address.to_string()
    }

    /// The chat requests so far (without those for the list of models).
    pub fn requests(&self) -> Vec<Recorded> {
        self.state.requests.lock().unwrap().clone()
    }
}

impl Drop for FakeModel {
    fn drop(&mut self) {
        self.state.closing.store(true, Ordering::SeqCst);
        // Wakes the accepting thread, which then sees that it is over.
        drop(TcpStream::connect(self.address));
    }
}

fn serve(mut stream: TcpStream, state: &State) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    stream.set_nodelay(true)?;
    let Some(request) = read_request(&mut stream)? else { return Ok(()) };
    if request.method == "GET" && request.path.ends_with("/models") {
        let models = state.models.lock().unwrap().clone();
        let data: Vec<Value> = models.iter().map(|id| json!({"id": id, "object": "model"})).collect();
        let reply =
            if data.is_empty() { Reply::error(404, "not found") } else { Reply::json(&json!({"object": "list", "data": data})) };
        return send(&mut stream, &request, &reply);
    }
    if !state.forgetful.load(Ordering::SeqCst) {
        state.requests.lock().unwrap().push(request.clone());
    }
    let fault = if state.strict.load(Ordering::SeqCst) { request.history_fault() } else { None };
    let reply = match fault {
        Some(fault) => Reply::api_error(400, &fault, "invalid_history"),
        None => (state.responder.lock().unwrap())(&request),
    };
    send(&mut stream, &request, &reply)
}

fn read_request(stream: &mut TcpStream) -> std::io::Result<Option<Recorded>> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut first = line.split_whitespace().map(str::to_owned);
    let (method, path) = (first.next().unwrap_or_default(), first.next().unwrap_or_default());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut request = Recorded { method, path, headers, body: Value::Null };
    let length = request.header("content-length").and_then(|v| v.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    request.body = serde_json::from_slice(&body).unwrap_or_default();
    Ok(Some(request))
}

fn send(stream: &mut TcpStream, request: &Recorded, reply: &Reply) -> std::io::Result<()> {
    std::thread::sleep(reply.delay);
    let (content_type, body) = match &reply.body {
        Body::Hangup => return Ok(()),
        Body::Raw { content_type, bytes } => (*content_type, bytes.clone()),
        Body::Message(message) if request.body["stream"] == true => ("text/event-stream", message.to_sse()),
        Body::Message(message) => ("application/json", message.to_json().to_string().into_bytes()),
    };
    let mut head = format!("HTTP/1.1 {} Scripted\r\ntransfer-encoding: chunked\r\nconnection: close\r\n", reply.status);
    if !reply.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
        head.push_str(&format!("content-type: {content_type}\r\n"));
    }
    for (name, value) in &reply.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes())?;
    let end = reply.cut_after.unwrap_or(body.len()).min(body.len());
    let mut at = 0;
    let mut stall = reply.stall;
    while at < end {
        let mut next = at.saturating_add(reply.piece).min(end);
        if let Some((stop, pause)) = stall
            && stop < next
        {
            next = stop.max(at);
            stall = None;
            send_chunk(stream, &body[at..next])?;
            std::thread::sleep(pause);
        } else {
            send_chunk(stream, &body[at..next])?;
            std::thread::sleep(reply.pace);
        }
        at = next;
    }
    if reply.cut_after.is_none() {
        stream.write_all(b"0\r\n\r\n")?;
    }
    stream.flush()
}

/// An empty chunk would end the body, so nothing is sent for no bytes.
fn send_chunk(stream: &mut TcpStream, bytes: &[u8]) -> std::io::Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
    chunk.extend_from_slice(bytes);
    chunk.extend_from_slice(b"\r\n");
    stream.write_all(&chunk)?;
    stream.flush()
}
