//! Scripted replies of the fake model server: well-behaved ones, and ones that break in every way that servers break.

use std::time::Duration;

use serde_json::{Value, json};

/// One scripted reply. A message (`text`, `tool_calls`) is streamed when the request asks for it and is one JSON object otherwise.
#[derive(Debug, Clone)]
pub struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Body,
    pub(super) delay: Duration,
    pub(super) piece: usize,
    pub(super) cut_after: Option<usize>,
    pub(super) stall: Option<(usize, Duration)>,
    pub(super) pace: Duration,
}

#[derive(Debug, Clone)]
pub(super) enum Body {
    Message(Message),
    Raw { content_type: &'static str, bytes: Vec<u8> },
    Hangup,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Message {
    text: String,
    thinking: String,
    calls: Vec<(String, String, String)>,
    finish: Option<String>,
    usage: Option<(u64, u64)>,
    no_done: bool,
}

impl Reply {
    fn new(body: Body) -> Self {
        Self {
            status: 200,
            headers: Vec::new(),
            body,
            delay: Duration::ZERO,
            piece: usize::MAX,
            cut_after: None,
            stall: None,
            pace: Duration::ZERO,
        }
    }

    /// An answer.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(Body::Message(Message { text: text.into(), ..Message::default() }))
    }

    /// Calls with these arguments, in order; the ids are `call_` and eight hex digits that follow from position, name and arguments.
    pub fn tool_calls<N: Into<String>>(calls: impl IntoIterator<Item = (N, Value)>) -> Self {
        let calls = calls.into_iter().enumerate().map(|(i, (name, arguments))| {
            let (name, arguments) = (name.into(), arguments.to_string());
            let hash =
                format!("{i}{name}{arguments}").bytes().fold(2_166_136_261_u32, |h, b| (h ^ u32::from(b)).wrapping_mul(16_777_619));
            (format!("call_{hash:08x}"), name, arguments)
        });
        Self::new(Body::Message(Message { calls: calls.collect(), ..Message::default() }))
    }

    /// One call.
    pub fn tool_call(name: &str, arguments: Value) -> Self {
        Self::tool_calls([(name, arguments)])
    }

    /// A body of type `text/event-stream`, sent as it stands.
    pub fn raw_sse(body: impl Into<Vec<u8>>) -> Self {
        Self::new(Body::Raw { content_type: "text/event-stream", bytes: body.into() })
    }

    /// These chunks as server-sent events, with `[DONE]` after the last.
    pub fn chunks(chunks: impl IntoIterator<Item = Value>) -> Self {
        let mut body: String = chunks.into_iter().map(|c| format!("data: {c}\n\n")).collect();
        body.push_str("data: [DONE]\n\n");
        Self::raw_sse(body)
    }

    /// A JSON body, whatever was asked for.
    pub fn json(body: &Value) -> Self {
        Self::new(Body::Raw { content_type: "application/json", bytes: body.to_string().into_bytes() })
    }

    /// An error with this status. A string body is sent as plain text, all else as JSON.
    pub fn error(status: u16, body: impl Into<Value>) -> Self {
        let raw = match body.into() {
            Value::String(text) => Body::Raw { content_type: "text/plain", bytes: text.into_bytes() },
            value => Body::Raw { content_type: "application/json", bytes: value.to_string().into_bytes() },
        };
        Self { status, ..Self::new(raw) }
    }

    /// The usual error body: `{"error": {"message", "type", "code"}}`.
    pub fn api_error(status: u16, message: &str, code: &str) -> Self {
        Self::error(status, json!({"error": {"message": message, "type": "error", "param": null, "code": code}}))
    }

    /// The connection is closed without a reply.
    pub fn hangup() -> Self {
        Self::new(Body::Hangup)
    }

    /// Adds a header.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Waits before the first byte.
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Sends the body in pieces of this many bytes, each in its own chunk, so that characters and events are split.
    pub fn in_pieces(mut self, bytes: usize) -> Self {
        self.piece = bytes.max(1);
        self
    }

    /// Breaks the connection after this many bytes of the body.
    pub fn cut_after(mut self, bytes: usize) -> Self {
        self.cut_after = Some(bytes);
        self
    }

    /// Pauses after this many bytes of the body.
    pub fn stall_after(mut self, bytes: usize, pause: Duration) -> Self {
        self.stall = Some((bytes, pause));
        self
    }

    /// Pauses after each piece.
    pub fn paced(mut self, pause: Duration) -> Self {
        self.pace = pause;
        self
    }

    fn edit(mut self, change: impl FnOnce(&mut Message)) -> Self {
        match &mut self.body {
            Body::Message(message) => change(message),
            _ => panic!("only a message can be changed"),
        }
        self
    }

    /// Text before the calls.
    pub fn with_text(self, text: &str) -> Self {
        self.edit(|m| m.text = text.into())
    }

    /// Reasoning (`reasoning_content`) before the text.
    pub fn with_thinking(self, text: &str) -> Self {
        self.edit(|m| m.thinking = text.into())
    }

    /// A finish reason other than `stop` or `tool_calls`.
    pub fn finish(self, reason: &str) -> Self {
        self.edit(|m| m.finish = Some(reason.into()))
    }

    /// Token counts (input, output); without them there is no `usage`.
    pub fn usage(self, input: u64, output: u64) -> Self {
        self.edit(|m| m.usage = Some((input, output)))
    }

    /// Ends the stream without finish reason and `[DONE]`, as if it had been cut.
    pub fn unfinished(self) -> Self {
        self.edit(|m| m.no_done = true)
    }
}

impl Message {
    fn finish_reason(&self) -> &str {
        self.finish.as_deref().unwrap_or(if self.calls.is_empty() { "stop" } else { "tool_calls" })
    }

    fn usage_object(&self) -> Option<Value> {
        self.usage.map(|(i, o)| json!({"prompt_tokens": i, "completion_tokens": o, "total_tokens": i + o}))
    }

    /// As one object.
    pub(super) fn to_json(&self) -> Value {
        let calls: Vec<Value> = self
            .calls
            .iter()
            .map(|(id, name, arguments)| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}))
            .collect();
        let mut message = json!({"role": "assistant", "content": self.text});
        if !calls.is_empty() {
            message["tool_calls"] = calls.into();
        }
        if !self.thinking.is_empty() {
            message["reasoning_content"] = self.thinking.clone().into();
        }
        let choice = json!({"index": 0, "message": message, "finish_reason": self.finish_reason()});
        let mut body = json!({"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "fake", "choices": [choice]});
        if let Some(usage) = self.usage_object() {
            body["usage"] = usage;
        }
        body
    }

    /// As server-sent events: the role, reasoning and text word by word, each call in three pieces, the finish reason, the usage.
    pub(super) fn to_sse(&self) -> Vec<u8> {
        let chunk = |choices: Value| json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "fake", "choices": choices});
        let delta = |delta: Value| chunk(json!([{"index": 0, "delta": delta, "finish_reason": null}]));
        let mut chunks = vec![delta(json!({"role": "assistant", "content": ""}))];
        chunks.extend(self.thinking.split_inclusive(' ').map(|word| delta(json!({"reasoning_content": word}))));
        chunks.extend(self.text.split_inclusive(' ').map(|word| delta(json!({"content": word}))));
        for (index, (id, name, arguments)) in self.calls.iter().enumerate() {
            let call = |function: Value| delta(json!({"tool_calls": [{"index": index, "function": function}]}));
            chunks.push(delta(json!({"tool_calls": [{"index": index, "id": id, "type": "function",
                "function": {"name": name, "arguments": ""}}]})));
            let middle = arguments.char_indices().nth(arguments.chars().count() / 2).map_or(0, |(at, _)| at);
            let (head, tail) = arguments.split_at(middle);
            chunks.push(call(json!({"arguments": head})));
            chunks.push(call(json!({"arguments": tail})));
        }
        if !self.no_done {
            chunks.push(chunk(json!([{"index": 0, "delta": {}, "finish_reason": self.finish_reason()}])));
            if let Some(usage) = self.usage_object() {
                let mut last = chunk(json!([]));
                last["usage"] = usage;
                chunks.push(last);
            }
        }
        let mut body: String = chunks.into_iter().map(|c| format!("data: {c}\n\n")).collect();
        if !self.no_done {
            body.push_str("data: [DONE]\n\n");
        }
        body.into_bytes()
    }
}
