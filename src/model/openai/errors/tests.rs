use serde_json::{Value, json};

use super::*;

fn kind(status: impl Into<Option<u16>>, body: Value) -> (Kind, Again) {
    classify(status.into(), &WireError::from_body(body.to_string().as_bytes()), true)
}

fn say(message: &str) -> Value {
    json!({"error": {"message": message}})
}

#[test]
fn servers_errors_are_told_apart() {
    use Again::{Loading, Never, Soon};
    for (status, body, wanted) in [
        (401, say("Incorrect API key provided"), (Kind::BadKey, Never)),
        (403, json!({"detail": "Forbidden"}), (Kind::BadKey, Never)),
        (
            400,
            json!([{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT"}}]),
            (Kind::BadKey, Never),
        ),
        (402, say("Insufficient credits"), (Kind::NoCredit, Never)),
        (
            429,
            json!({"error": {"message": "You exceeded your current quota", "type": "insufficient_quota", "code": "insufficient_quota"}}),
            (Kind::NoCredit, Never),
        ),
        (
            429,
            json!({"error": {"code": 429, "message": "Resource has been exhausted (e.g. check quota).", "status": "RESOURCE_EXHAUSTED"}}),
            (Kind::RateLimited, Soon),
        ),
        (429, say("Rate limit reached"), (Kind::RateLimited, Soon)),
        (
            400,
            json!({"error": {"message": "This model's maximum context length is 8192 tokens.", "code": "context_length_exceeded"}}),
            (Kind::ContextTooLong, Never),
        ),
        (
            400,
            json!({"error": {"code": 400, "type": "exceed_context_size_error", "message": "the request exceeds the available context size"}}),
            (Kind::ContextTooLong, Never),
        ),
        (413, json!("Payload Too Large"), (Kind::ContextTooLong, Never)),
        (
            404,
            json!({"error": {"message": "The model `x` does not exist", "code": "model_not_found"}}),
            (Kind::UnknownModel, Never),
        ),
        (404, json!({"error": "model \"x\" not found, try pulling it first"}), (Kind::UnknownModel, Never)),
        (400, say("x is not a valid model ID"), (Kind::UnknownModel, Never)),
        (404, json!({"detail": "Not Found"}), (Kind::WrongPath, Never)),
        (405, json!({"detail": "Method Not Allowed"}), (Kind::WrongPath, Never)),
        (400, say("x does not support tools"), (Kind::Refused, Never)),
        (408, say("timeout"), (Kind::Server, Soon)),
        (409, say("conflict"), (Kind::Server, Soon)),
        (500, json!("oops"), (Kind::Server, Soon)),
        (503, json!({"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}}), (Kind::Server, Loading)),
        (529, say("Overloaded"), (Kind::Server, Soon)),
    ] {
        assert_eq!(kind(status, body.clone()), wanted, "{status} {body}");
    }
    assert_eq!(kind(None, say("boom")), (Kind::Server, Again::Soon));
    assert_eq!(kind(None, json!({"error": {"message": "x", "type": "invalid_request_error"}})), (Kind::Refused, Again::Never));
}
