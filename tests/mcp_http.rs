//! `pagewise mcp --http`: what may reach it, and that it says what the server over stdin and stdout says.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop where it fails")]

mod support;

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use reqwest::header::{ACCESS_CONTROL_ALLOW_ORIGIN, AUTHORIZATION, HOST, HeaderMap, ORIGIN, WWW_AUTHENTICATE};
use reqwest::{Client, Method, Response, StatusCode};
use serde_json::{Value, json};

use support::desk::Desk;

const VERSION: &str = "2025-11-25";
const STATELESS: &str = "2026-07-28";

/// A running server.
struct Server {
    child: Child,
    url: String,
    client: Client,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A header to send.
type Header<'a> = (&'a str, &'a str);

impl Server {
    /// Starts the program at a free port and waits until it says where.
    fn start(command: &mut Command, options: &[&str]) -> Self {
        Self::start_at(command, "127.0.0.1:0", options)
    }

    fn start_at(command: &mut Command, address: &str, options: &[&str]) -> Self {
        let options = [&["--http", address], options].concat();
        let mut child = command.args(options).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        stderr.read_line(&mut line).unwrap();
        let url = line.split_whitespace().find(|word| word.starts_with("http://")).unwrap_or_else(|| panic!("{line}")).to_owned();
        std::thread::spawn(move || stderr.read_to_end(&mut Vec::new()));
        Self { child, url, client: Client::new() }
    }

    async fn post(&self, message: &Value, headers: &[Header<'_>]) -> Response {
        let mut request = self.client.post(&self.url).header("accept", "application/json, text/event-stream");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.json(message).send().await.unwrap()
    }

    async fn initialize(&self, headers: &[Header<'_>]) -> Response {
        let params = json!({"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        self.post(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}), headers).await
    }

    /// Shakes hands; gives the headers of the session.
    async fn session(&self) -> (String, Value) {
        let response = self.initialize(&[]).await;
        assert_eq!(response.status(), StatusCode::OK);
        let session = response.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        let about = message(response).await["result"].clone();
        let done = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(self.post(&done, &in_session(&session)).await.status(), StatusCode::ACCEPTED);
        (session, about)
    }

    async fn stateless(&self, method: &str, mut params: Value, headers: &[Header<'_>]) -> Response {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": STATELESS,
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let name = params["name"].as_str().map(str::to_owned);
        let mut all = vec![("mcp-protocol-version", STATELESS), ("mcp-method", method)];
        all.extend(name.as_deref().map(|name| ("mcp-name", name)));
        all.extend_from_slice(headers);
        self.post(&json!({"jsonrpc": "2.0", "id": 2, "method": method, "params": params}), &all).await
    }
}

fn in_session(id: &str) -> [Header<'_>; 2] {
    [("mcp-session-id", id), ("mcp-protocol-version", VERSION)]
}

/// The message in a reply, which may be JSON or a stream of events.
async fn message(response: Response) -> Value {
    let text = response.text().await.unwrap();
    let data = text.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim).rfind(|data| !data.is_empty());
    serde_json::from_str(data.unwrap_or(&text)).unwrap_or_else(|_| panic!("{text}"))
}

#[tokio::test]
async fn foreign_origins_and_hosts_are_refused() {
    let desk = Desk::new();
    let server = Server::start(&mut desk.command(&["mcp"]), &[]);
    let port = server.url.rsplit(':').next().unwrap().trim_end_matches("/mcp").to_owned();
    assert_eq!(server.initialize(&[]).await.status(), StatusCode::OK);
    for host in ["localhost", "127.0.0.1", "[::1]"] {
        let own = format!("http://{host}:{port}");
        assert_eq!(server.initialize(&[(ORIGIN.as_str(), &own)]).await.status(), StatusCode::OK, "{own}");
    }
    let other_scheme = format!("https://localhost:{port}");
    let prefix = format!("http://localhost:{port}.evil.example");
    for origin in ["http://evil.example", "null", "http://localhost", "http://localhost:1", &other_scheme, &prefix, "x", ""] {
        let response = server.initialize(&[(ORIGIN.as_str(), origin)]).await;
        assert_eq!(response.status(), StatusCode::FORBIDDEN, "{origin}");
        assert!(response.headers().get(ACCESS_CONTROL_ALLOW_ORIGIN).is_none());
        assert!(!response.text().await.unwrap().contains("protocolVersion"));
    }
    for host in ["evil.example", "evil.example:8787", "127.0.0.1.evil.example", "localhost.evil.example"] {
        let response = server.initialize(&[(HOST.as_str(), host)]).await;
        assert_eq!(response.status(), StatusCode::FORBIDDEN, "{host}");
    }
    for method in [Method::GET, Method::DELETE, Method::OPTIONS] {
        let response =
            server.client.request(method.clone(), &server.url).header(ORIGIN, "http://evil.example").send().await.unwrap();
        assert!(response.status().is_client_error(), "{method}: {}", response.status());
        assert!(response.headers().get(ACCESS_CONTROL_ALLOW_ORIGIN).is_none());
    }
    let root = server.url.replace("/mcp", "/");
    assert_eq!(server.client.get(root).send().await.unwrap().status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn origins_and_hosts_can_be_allowed() {
    let desk = Desk::new();
    let options = ["--allow-origin", "https://app.example.com", "--allow-host", "docs.example.com"];
    let server = Server::start(&mut desk.command(&["mcp"]), &options);
    let origin = (ORIGIN.as_str(), "https://app.example.com");
    let response = server.initialize(&[origin]).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()[ACCESS_CONTROL_ALLOW_ORIGIN], "https://app.example.com");
    assert_eq!(server.initialize(&[(HOST.as_str(), "docs.example.com")]).await.status(), StatusCode::OK);
    let preflight = server
        .client
        .request(Method::OPTIONS, &server.url)
        .header(ORIGIN, "https://app.example.com")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "authorization,content-type,mcp-session-id")
        .send()
        .await
        .unwrap();
    assert!(preflight.status().is_success());
    let allowed = |headers: &HeaderMap| headers["access-control-allow-headers"].to_str().unwrap().to_owned();
    assert!(allowed(preflight.headers()).contains("authorization"));
    assert_eq!(server.initialize(&[(ORIGIN.as_str(), "https://evil.example")]).await.status(), StatusCode::FORBIDDEN);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_server_answers_to_the_address_that_it_listens_at() {
    let desk = Desk::new();
    let server = Server::start_at(&mut desk.command(&["mcp"]), "127.0.0.2:0", &[]);
    assert!(server.url.starts_with("http://127.0.0.2:"));
    assert_eq!(server.initialize(&[]).await.status(), StatusCode::OK);
    let own = server.url.trim_end_matches("/mcp").to_owned();
    assert_eq!(server.initialize(&[(ORIGIN.as_str(), &own)]).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn a_token_is_asked_for() {
    let desk = Desk::new();
    let file = desk.path().join("token");
    std::fs::write(&file, "s3cret\n").unwrap();
    let of_file = Server::start(&mut desk.command(&["mcp"]), &["--token-file", file.to_str().unwrap()]);
    let of_environment = Server::start(desk.command(&["mcp"]).env("PAGEWISE_MCP_TOKEN", "s3cret"), &[]);
    for server in [of_file, of_environment] {
        for wrong in [
            None,
            Some("Bearer"),
            Some("Bearer x"),
            Some("Bearer s3cretx"),
            Some("Bearer s3cre"),
            Some("Basic s3cret"),
            Some("s3cret"),
        ] {
            let headers: Vec<Header<'_>> = wrong.iter().map(|value| (AUTHORIZATION.as_str(), *value)).collect();
            let response = server.initialize(&headers).await;
            assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{wrong:?}");
            assert_eq!(response.headers()[WWW_AUTHENTICATE], "Bearer");
        }
        for right in ["Bearer s3cret", "bearer s3cret"] {
            assert_eq!(server.initialize(&[(AUTHORIZATION.as_str(), right)]).await.status(), StatusCode::OK);
        }
        let foreign = [(AUTHORIZATION.as_str(), "Bearer s3cret"), (ORIGIN.as_str(), "http://evil.example")];
        assert_eq!(server.initialize(&foreign).await.status(), StatusCode::FORBIDDEN);
    }
}

#[test]
fn other_machines_are_served_only_with_a_token() {
    let desk = Desk::new();
    let output = desk.command(&["mcp", "--http", "0.0.0.0:0"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("PAGEWISE_MCP_TOKEN"));
    let output = desk.command(&["mcp", "--http", "0.0.0.0:0"]).env("PAGEWISE_MCP_TOKEN", "").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let output = desk.command(&["mcp", "--token-file", "x"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[tokio::test]
async fn replies_are_those_of_the_command_line() {
    let desk = Desk::with_samples(&["annual-report.pdf"]);
    let server = Server::start(&mut desk.command(&["mcp"]), &["--max-result-chars", "20000"]);
    let (session, about) = server.session().await;
    assert_eq!(about["serverInfo"]["name"], "pagewise");
    for (tool, arguments) in [
        ("browse_documents", json!({})),
        ("get_document", json!({"doc_name": "annual-report.pdf"})),
        ("get_document_structure", json!({"doc_name": "annual-report.pdf"})),
        ("get_page_content", json!({"doc_name": "annual-report.pdf", "pages": "1-9"})),
        ("get_page_content", json!({"doc_name": "annual-report.pdf", "pages": "all"})),
    ] {
        let printed = desk.call(tool, &arguments, &["--max-result-chars", "20000"]);
        let params = json!({"name": tool, "arguments": arguments});
        let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
        let replies = [
            message(server.post(&call, &in_session(&session)).await).await,
            message(server.stateless("tools/call", params, &[]).await).await,
        ];
        for reply in replies {
            assert_eq!(reply["result"]["content"][0]["text"], printed, "{tool}");
            assert_eq!(reply["result"]["structuredContent"], serde_json::from_str::<Value>(&printed).unwrap());
        }
    }
    let about = message(server.stateless("server/discover", json!({}), &[]).await).await;
    assert_eq!(about["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "pagewise", "{about}");
}

#[tokio::test]
async fn sessions_end_when_they_are_told_to() {
    let desk = Desk::new();
    let server = Server::start(&mut desk.command(&["mcp"]), &[]);
    let (session, _) = server.session().await;
    let ping = json!({"jsonrpc": "2.0", "id": 3, "method": "ping"});
    assert_eq!(server.post(&ping, &in_session(&session)).await.status(), StatusCode::OK);
    let ended = server.client.delete(&server.url).header("mcp-session-id", &session).send().await.unwrap();
    assert_eq!(ended.status(), StatusCode::NO_CONTENT);
    assert_eq!(server.post(&ping, &in_session(&session)).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(server.post(&ping, &in_session("no-such-session")).await.status(), StatusCode::NOT_FOUND);
}

#[cfg(unix)]
#[tokio::test]
async fn signals_end_it_while_a_stream_is_open() {
    let desk = Desk::new();
    for (signal, status) in [("INT", 130), ("TERM", 0)] {
        let mut server = Server::start(&mut desk.command(&["mcp"]), &[]);
        let (session, _) = server.session().await;
        let stream = server.client.get(&server.url).header("accept", "text/event-stream").header("mcp-session-id", session);
        let stream = stream.send().await.unwrap();
        assert_eq!(stream.status(), StatusCode::OK);
        let started = Instant::now();
        let sent = Command::new("kill").args(["-s", signal, &server.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        assert_eq!(server.child.wait().unwrap().code(), Some(status), "{signal}");
        assert!(started.elapsed() < Duration::from_secs(30));
        let mut stdout = String::new();
        server.child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
        assert!(stdout.is_empty());
    }
}
