//! Messages as lines of JSON over any pair of streams.
//!
//! rmcp has such a transport, which passes over lines that it cannot read; a host would wait for its reply until it gives up. Here every
//! request gets one: what is no JSON the error -32700, what is no request -32600, each with the id wherever it can be found.

use std::io;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::JsonRpcMessage;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;

/// The longest line that is read, in bytes. The largest arguments that a tool takes are far below.
const LONGEST: usize = 16 << 20;

/// See the module.
pub(super) struct Lines<R, W> {
    input: BufReader<R>,
    output: Arc<Mutex<W>>,
    /// What was read of a line so far. It stands here because `receive` may be dropped between two reads.
    line: Vec<u8>,
    /// The rest of a line that was too long is being passed over.
    skipping: bool,
}

/// What is looked for in a line that cannot be read whole.
#[derive(Deserialize)]
struct Head {
    id: Option<Value>,
}

impl<R: AsyncRead + Unpin + Send, W: AsyncWrite + Unpin + Send + 'static> Lines<R, W> {
    pub(super) fn new(input: R, output: W) -> Self {
        Self { input: BufReader::new(input), output: Arc::new(Mutex::new(output)), line: Vec::new(), skipping: false }
    }

    /// Reads up to the next line end, or to the end of input; `false` when there is nothing more. Nothing is lost when this is dropped.
    async fn fill(&mut self) -> io::Result<bool> {
        loop {
            let available = self.input.fill_buf().await?;
            if available.is_empty() {
                return Ok(!self.line.is_empty());
            }
            let end = memchr::memchr(b'\n', available);
            let taken = available.get(..end.unwrap_or(available.len())).unwrap_or_default();
            if !self.skipping {
                self.line.extend_from_slice(taken);
            }
            let consumed = taken.len() + usize::from(end.is_some());
            self.input.consume(consumed);
            if self.line.len() > LONGEST {
                self.line.clear();
                self.skipping = true;
                write(&self.output, &error(None, -32600, &format!("a message may have {} MiB at most", LONGEST >> 20))).await?;
            }
            if end.is_some() {
                self.skipping = false;
                return Ok(true);
            }
        }
    }
}

/// The message on a line, the reply to what is none, or nothing where no reply is due.
fn read(line: &[u8]) -> Result<Option<RxJsonRpcMessage<RoleServer>>, Value> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    let value: Value = serde_json::from_slice(line).map_err(|problem| {
        let id = serde_json::from_slice::<Head>(line).ok().and_then(|head| head.id);
        error(id, -32700, &format!("this line cannot be read as JSON: {problem}"))
    })?;
    let expects_reply = value.get("method").is_none() || value.get("id").is_some();
    let is_reply = value.get("result").is_some() || value.get("error").is_some();
    let id = value.get("id").cloned();
    match serde_json::from_value::<JsonRpcMessage<_, _, _>>(value) {
        Ok(message) => Ok(Some(message)),
        Err(_) if is_reply || !expects_reply => Ok(None),
        Err(_) => Err(error(id, -32600, "this is no JSON-RPC 2.0 request")),
    }
}

/// An error reply; an id that is none is given as null.
fn error(id: Option<Value>, code: i32, message: &str) -> Value {
    let id = id.filter(|id| id.is_string() || id.is_i64() || id.is_u64()).unwrap_or(Value::Null);
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

async fn write<W: AsyncWrite + Unpin>(output: &Mutex<W>, message: &(impl Serialize + Sync)) -> io::Result<()> {
    let mut line = serde_json::to_vec(message).map_err(io::Error::other)?;
    line.push(b'\n');
    let mut output = output.lock().await;
    output.write_all(&line).await?;
    output.flush().await
}

impl<R: AsyncRead + Unpin + Send, W: AsyncWrite + Unpin + Send + 'static> Transport<RoleServer> for Lines<R, W> {
    type Error = io::Error;

    fn send(&mut self, item: TxJsonRpcMessage<RoleServer>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = self.output.clone();
        async move { write(&output, &item).await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            match self.fill().await {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    tracing::warn!(%error, "the host cannot be read");
                    return None;
                }
            }
            match read(&std::mem::take(&mut self.line)) {
                Ok(Some(message)) => return Some(message),
                Ok(None) => {}
                // Whoever cannot be answered is gone.
                Err(reply) => write(&self.output, &reply).await.ok()?,
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.lock().await.shutdown().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(line: &str) -> Value {
        read(line.as_bytes()).unwrap_err()
    }

    #[test]
    fn what_cannot_be_read_is_answered_with_its_id() {
        for (line, id, code) in [
            ("{bad}", json!(null), -32700),
            (
                r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x","arguments":{"a":"\ud800"}}}"#,
                json!(2),
                -32700,
            ),
            (r#"{"jsonrpc":"2.0","method":"ping","id":"a","params":{"x":1e999}}"#, json!("a"), -32700),
            (r#"{"jsonrpc":"2.0","id":3,"method""#, json!(null), -32700),
            ("[]", json!(null), -32600),
            ("5", json!(null), -32600),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, json!(null), -32600),
            (r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, json!(7), -32600),
        ] {
            let reply = reply(line);
            assert_eq!((&reply["id"], &reply["error"]["code"]), (&id, &json!(code)), "{line}: {reply}");
        }
        let invalid = read(b"{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"x\xff\"}").unwrap_err();
        assert_eq!(invalid["error"]["code"], -32700);
    }

    #[test]
    fn nothing_is_said_to_what_expects_nothing() {
        for line in ["", "  \r", "\u{feff}", r#"{"jsonrpc":"1.0","method":"notifications/x"}"#, r#"{"id":1,"result":{}}"#] {
            assert!(matches!(read(line.as_bytes()), Ok(None)), "{line}");
        }
        let request = "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r";
        assert!(matches!(read(request.as_bytes()), Ok(Some(_))));
    }

    #[tokio::test]
    async fn lines_come_in_pieces_and_the_last_needs_no_end() {
        let ping = |id: u32| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}");
        let (mut host, server) = tokio::io::duplex(1 << 20);
        let (input, output) = tokio::io::split(server);
        let mut lines = Lines::new(input, output);
        let text = format!("{}\nno JSON\n{}\n{}", ping(1), "x".repeat(LONGEST + 10), ping(2));
        let writer = tokio::spawn(async move {
            for piece in text.as_bytes().chunks(65_537) {
                host.write_all(piece).await.unwrap();
            }
            host.shutdown().await.unwrap();
            let mut said = String::new();
            tokio::io::AsyncReadExt::read_to_string(&mut host, &mut said).await.unwrap();
            said
        });
        let id = |message: Option<RxJsonRpcMessage<RoleServer>>| serde_json::to_value(message.unwrap()).unwrap()["id"].clone();
        assert_eq!(id(lines.receive().await), 1);
        assert_eq!(id(lines.receive().await), 2);
        assert!(lines.receive().await.is_none());
        drop(lines);
        let said = writer.await.unwrap();
        let codes: Vec<i64> =
            said.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["error"]["code"].as_i64().unwrap()).collect();
        assert_eq!(codes, [-32700, -32600]);
    }
}
