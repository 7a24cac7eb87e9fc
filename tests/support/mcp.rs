//! A host that speaks to `pagewise mcp` over stdin and stdout, line by line.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::{Value, json};

use super::desk::Desk;

/// Longer than any reply takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server.
pub struct Host {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    asked: u64,
}

/// How a server ended.
pub struct Ended {
    /// Its status.
    pub status: ExitStatus,
    /// What it still sent.
    pub rest: Vec<Value>,
    /// What it said on stderr.
    pub stderr: String,
}

impl Host {
    /// Starts `pagewise mcp` with these options. Every line of its stdout must be a JSON-RPC message.
    pub fn start(desk: &Desk, options: &[&str]) -> Self {
        let mut child = desk
            .command(&["mcp"])
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines() {
                let line = line.unwrap();
                let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON on stdout: {line}"));
                assert_eq!(message["jsonrpc"], "2.0", "{line}");
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Self { child, stdin, messages, asked: 0 }
    }

    /// Starts it and shakes hands in this version of the protocol; gives what `initialize` returned.
    pub fn connected(desk: &Desk, options: &[&str], version: &str) -> (Self, Value) {
        let mut host = Self::start(desk, options);
        let client = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        let reply = host.request("initialize", client);
        host.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        (host, reply["result"].clone())
    }

    /// Sends a line as it is.
    pub fn send_line(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        writeln!(stdin, "{line}").unwrap();
        stdin.flush().unwrap();
    }

    /// Sends a message.
    pub fn send(&mut self, message: &Value) {
        self.send_line(&message.to_string());
    }

    /// Sends a request without waiting for its reply; gives its id.
    pub fn ask(&mut self, method: &str, params: Value) -> u64 {
        self.asked += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}));
        self.asked
    }

    /// The reply to a request. Replies to others are passed over.
    pub fn reply(&mut self, id: u64) -> Value {
        loop {
            match self.messages.recv_timeout(PATIENCE) {
                Ok(message) if message["id"] == id => return message,
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => panic!("no reply to request {id}"),
                Err(RecvTimeoutError::Disconnected) => panic!("the server ended before it replied to request {id}"),
            }
        }
    }

    /// Sends a request and waits for the whole reply.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.reply(id)
    }

    /// Calls a tool; gives the result.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let reply = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        assert!(reply.get("error").is_none(), "{reply}");
        reply["result"].clone()
    }

    /// Closes its stdin and waits until it has ended.
    pub fn close(mut self) -> Ended {
        drop(self.stdin.take());
        let status = self.child.wait().unwrap();
        let mut stderr = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        Ended { status, rest: self.messages.iter().collect(), stderr }
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until it has ended by itself.
    pub fn wait(mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }
}
