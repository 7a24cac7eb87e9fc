//! Sends requests below async-openai's client, as its HTTP service, and watches the bytes of the reply.
//!
//! The client's own service retries unseen, loses the status of error bodies it does not know, and its streams cannot tell a reply that
//! ended from one that was cut. Here every reply that is no success becomes a [`Failure`] with its status and headers, a plain JSON reply
//! becomes one event, waits are bounded, and how the stream ended is noted for the reader at the other end.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Instant;

use async_openai::error::OpenAIError;
use async_openai::middleware::HttpRequestFactory;
use bytes::Bytes;
use futures::stream::{self, BoxStream, StreamExt};
use reqwest::{Method, Response};
use tower_service::Service;

use super::errors::Explainer;
use super::failure::{Again, Failure};
use super::settings::Timeouts;
use crate::model::ModelErrorKind;

/// Bytes of an error body that are read.
const LONGEST_ERROR: usize = 64 * 1024;

/// Bytes of a reply that are read; no answer is longer, and a server must not fill the memory.
const LONGEST_REPLY: usize = 64 * 1024 * 1024;

/// The mark that some servers put before UTF-8 text.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// What is noted about one reply while its bytes pass.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// The end mark `[DONE]` was seen, or the reply was one JSON body.
    done: AtomicBool,
    /// The model has begun to speak, so that the shorter bound holds.
    begun: AtomicBool,
    /// Why the bytes stopped coming.
    failure: Mutex<Option<Failure>>,
}

impl Watch {
    pub(super) fn is_done(&self) -> bool {
        self.done.load(Ordering::SeqCst)
    }

    pub(super) fn set_begun(&self) {
        self.begun.store(true, Ordering::SeqCst);
    }

    pub(super) fn take_failure(&self) -> Option<Failure> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn fail(&self, failure: Failure) {
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure);
    }
}

/// The service of one try.
#[derive(Clone)]
pub(super) struct Transport {
    pub http: reqwest::Client,
    pub explainer: Arc<Explainer>,
    pub timeouts: Timeouts,
    pub watch: Arc<Watch>,
}

impl Service<HttpRequestFactory> for Transport {
    type Response = Response;
    type Error = OpenAIError;
    type Future = Pin<Box<dyn Future<Output = Result<Response, OpenAIError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), OpenAIError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, factory: HttpRequestFactory) -> Self::Future {
        let this = self.clone();
        Box::pin(async move {
            let request = factory.build().await?;
            this.send(request).await.map_err(|failure| OpenAIError::Boxed(Box::new(failure)))
        })
    }
}

impl Transport {
    async fn send(self, request: reqwest::Request) -> Result<Response, Failure> {
        let is_chat = request.method() == Method::POST;
        let limit = self.timeouts.first_byte;
        let response = tokio::time::timeout(limit, self.http.execute(request))
            .await
            .map_err(|_| self.explainer.silent(limit, false))?
            .map_err(|e| self.explainer.transport(&e))?;
        let status = response.status();
        if !status.is_success() {
            let headers = response.headers().clone();
            let body = self.error_body(response).await;
            return Err(self.explainer.status(status.as_u16(), &headers, &body));
        }
        if !is_chat {
            return Ok(response);
        }
        // The reader needs nothing of the reply but its bytes.
        let bytes = Reply {
            inner: response.bytes_stream().boxed(),
            transport: self,
            total: 0,
            held: Vec::new(),
            spotter: DoneSpotter::default(),
        };
        Ok(Response::from(http::Response::new(reqwest::Body::wrap_stream(bytes.events()))))
    }

    /// The beginning of an error's body; what cannot be read of it is not worth another error.
    async fn error_body(&self, mut response: Response) -> Vec<u8> {
        let mut body = Vec::new();
        while body.len() < LONGEST_ERROR
            && let Ok(Ok(Some(chunk))) = tokio::time::timeout(self.timeouts.connect, response.chunk()).await
        {
            body.extend_from_slice(&chunk);
        }
        body.truncate(LONGEST_ERROR);
        body
    }
}

/// The bytes of a reply on their way to the reader of events.
struct Reply {
    inner: BoxStream<'static, reqwest::Result<Bytes>>,
    transport: Transport,
    total: usize,
    /// The beginning of a line whose end is not there yet. The reader of events reads an unfinished line again from its beginning whenever
    /// more of it comes, which takes minutes for one of some megabytes.
    held: Vec<u8>,
    spotter: DoneSpotter,
}

/// Where such a stream stands.
enum Stage {
    Beginning,
    Events,
    Over,
}

impl Reply {
    /// The reply as server-sent events. It ends early, with the reason noted, when bytes stay away or the reply is no events.
    fn events(self) -> impl futures::Stream<Item = Result<Bytes, std::io::Error>> + Send {
        stream::unfold((self, Stage::Beginning), |(mut this, stage)| async move {
            let (item, next) = match stage {
                Stage::Over => return None,
                Stage::Beginning => this.begin().await,
                Stage::Events => this.pass().await,
            };
            let item = item.map_err(|failure| {
                let error = std::io::Error::other(failure.to_string());
                this.transport.watch.fail(failure);
                error
            });
            let next = if item.is_err() { Stage::Over } else { next };
            Some((item, (this, next)))
        })
    }

    /// The first bytes decide whether it is a stream of events, one JSON reply, or a web page.
    async fn begin(&mut self) -> (Result<Bytes, Failure>, Stage) {
        let mut head: Vec<u8> = Vec::new();
        loop {
            match self.read().await {
                Err(failure) => return (Err(failure), Stage::Over),
                Ok(None) if head.is_empty() => {
                    let failure = self.transport.explainer.failure(ModelErrorKind::CutOff, Again::Soon, "the reply is empty");
                    return (Err(failure), Stage::Over);
                }
                Ok(None) => return (Ok(self.ending(head)), Stage::Over),
                Ok(Some(bytes)) => head.extend_from_slice(&bytes),
            }
            // A byte-order mark, which the reader of events chokes on.
            if head.len() < BOM.len() && BOM.starts_with(&head) {
                continue;
            }
            if head.starts_with(BOM) {
                head.drain(..BOM.len());
            }
            let seen = head.trim_ascii_start();
            match seen.first() {
                None => {}
                Some(b'{' | b'[') => return (self.whole(head).await, Stage::Over),
                Some(b'<') => {
                    let what = "the reply is a web page, not a model's answer";
                    return (Err(self.transport.explainer.failure(ModelErrorKind::BadReply, Again::Never, what)), Stage::Over);
                }
                Some(_) => {
                    self.note(&head);
                    return (Ok(self.whole_lines(&head)), Stage::Events);
                }
            }
        }
    }

    async fn pass(&mut self) -> (Result<Bytes, Failure>, Stage) {
        match self.read().await {
            Err(failure) => (Err(failure), Stage::Over),
            Ok(None) => (Ok(self.ending(Vec::new())), Stage::Over),
            Ok(Some(bytes)) => {
                self.note(&bytes);
                (Ok(self.whole_lines(&bytes)), Stage::Events)
            }
        }
    }

    /// What was held back and these bytes, up to the last end of a line in them; nothing where there is none. The rest is held back.
    fn whole_lines(&mut self, bytes: &[u8]) -> Bytes {
        let end = bytes.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |at| at + 1);
        let (whole, rest) = bytes.split_at(end);
        let lines = if whole.is_empty() { Vec::new() } else { [&std::mem::take(&mut self.held), whole].concat() };
        self.held.extend_from_slice(rest);
        lines.into()
    }

    /// A JSON reply as one event.
    async fn whole(&mut self, mut body: Vec<u8>) -> Result<Bytes, Failure> {
        while let Some(bytes) = self.read().await? {
            body.extend_from_slice(&bytes);
        }
        let reply: serde_json::Value = serde_json::from_slice(&body).map_err(|e| {
            let (kind, what) = if e.is_eof() {
                (ModelErrorKind::CutOff, "the reply was cut off".to_owned())
            } else {
                (ModelErrorKind::BadReply, format!("the reply is broken JSON: {e}"))
            };
            self.transport.explainer.failure(kind, Again::Soon, &what)
        })?;
        self.transport.watch.done.store(true, Ordering::SeqCst);
        Ok(format!("data: {reply}\n\n").into())
    }

    /// The last bytes. The last event may lack the empty line that ends it.
    fn ending(&mut self, mut last: Vec<u8>) -> Bytes {
        last.extend_from_slice(b"\n\n");
        self.note(&last);
        [std::mem::take(&mut self.held), last].concat().into()
    }

    fn note(&mut self, bytes: &[u8]) {
        if self.spotter.sees_end(bytes) {
            self.transport.watch.done.store(true, Ordering::SeqCst);
        }
    }

    async fn read(&mut self) -> Result<Option<Bytes>, Failure> {
        let Timeouts { first_byte, idle, .. } = self.transport.timeouts;
        let explainer = &self.transport.explainer;
        let since = Instant::now();
        // The shorter bound holds from the moment the model has begun to speak, which may come to be known during the wait.
        let next = loop {
            let waited = since.elapsed();
            let begun = self.transport.watch.begun.load(Ordering::SeqCst);
            let limit = if begun { idle } else { first_byte };
            if waited >= limit {
                return Err(explainer.silent(limit, begun));
            }
            if let Ok(next) = tokio::time::timeout((limit - waited).min(idle), self.inner.next()).await {
                break next;
            }
        };
        let Some(bytes) = next.transpose().map_err(|e| explainer.transport(&e))? else { return Ok(None) };
        self.total = self.total.saturating_add(bytes.len());
        if self.total > LONGEST_REPLY {
            return Err(explainer.failure(ModelErrorKind::BadReply, Again::Never, "the reply has no end"));
        }
        Ok(Some(bytes))
    }
}

/// Finds the line `data: [DONE]` in bytes that come in pieces. async-openai reads it and keeps it to itself.
#[derive(Debug, Default)]
struct DoneSpotter {
    line: Vec<u8>,
}

impl DoneSpotter {
    fn sees_end(&mut self, bytes: &[u8]) -> bool {
        /// Longer lines are none; the mark with its blanks is shorter.
        const LONGEST: usize = 24;
        let mut seen = false;
        for byte in bytes {
            if matches!(byte, b'\n' | b'\r') {
                let mark = self.line.strip_prefix(b"data:".as_slice()).map(<[u8]>::trim_ascii);
                seen |= mark == Some(b"[DONE]");
                self.line.clear();
            } else if self.line.len() < LONGEST {
                self.line.push(*byte);
            }
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_mark_is_found_in_pieces_and_only_as_a_line() {
        let sees = |pieces: &[&str]| {
            let mut spotter = DoneSpotter::default();
            pieces.iter().any(|piece| spotter.sees_end(piece.as_bytes()))
        };
        assert!(sees(&["data: {}\n\nda", "ta: [DO", "NE]", "\r\n\r\n"]));
        assert!(sees(&["data:[DONE]\n"]));
        assert!(!sees(&["data: {\"content\": \"data: [DONE]\"}\n\n"]));
        assert!(!sees(&["data: [DONE] and more text\n"]));
        assert!(!sees(&["data: [DONE]"]));
    }
}
