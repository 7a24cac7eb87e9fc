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

/// The HTTP library's words, as they were seen, and what people read instead.
#[test]
fn causes_are_put_in_words() {
    let mut explainer = Explainer::new(
        Endpoint::new(&super::super::OpenAiSettings { base_url: "https://x.test/v1".into(), ..Default::default() }).unwrap(),
        "m",
        "/chat/completions",
    );
    explainer.proxy = Some("10.0.0.1:3128 (from HTTPS_PROXY)".into());
    for (causes, connecting, kind, again, words) in [
        ("invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))", true, Kind::Tls, Again::Never, "CA:TRUE"),
        ("invalid peer certificate: UnknownIssuer", true, Kind::Tls, Again::Never, "signed by nobody that this machine trusts"),
        ("invalid peer certificate: BadSignature", true, Kind::Tls, Again::Never, "signed by nobody that this machine trusts"),
        ("invalid peer certificate: certificate expired: x", true, Kind::Tls, Again::Never, "has expired"),
        ("received corrupt message of type InvalidContentType", true, Kind::Tls, Again::Never, "does not speak TLS"),
        (
            "tunnel error: proxy authorization required",
            true,
            Kind::Unreachable,
            Again::Never,
            "10.0.0.1:3128 (from HTTPS_PROXY) wants a name",
        ),
        ("tunnel error: unsuccessful", true, Kind::Unreachable, Again::Never, "the proxy 10.0.0.1:3128 (from HTTPS_PROXY) refused"),
        (
            "tcp connect error: Connection refused (os error 111)",
            true,
            Kind::Unreachable,
            Again::Soon,
            "the proxy 10.0.0.1:3128 (from HTTPS_PROXY) refused it",
        ),
        ("dns error: failed to lookup address information", true, Kind::Unreachable, Again::Soon, "no host of that name"),
        ("tcp connect error: No route to host", true, Kind::Unreachable, Again::Soon, "No route to host"),
        ("invalid HTTP version parsed", false, Kind::BadReply, Again::Never, "does not speak HTTP"),
        (
            "error reading a body from connection: unexpected EOF during chunk size line",
            false,
            Kind::CutOff,
            Again::Soon,
            "the connection broke: the server went away",
        ),
    ] {
        let failure = explainer.no_reply(causes, connecting);
        assert_eq!((failure.error.kind, failure.again), (kind, again), "{causes}");
        assert!(failure.error.message.contains(words), "{causes}: {}", failure.error.message);
    }
}

#[test]
fn the_proxy_in_use_is_known_without_its_password() {
    let with = |variables: &'static [(&'static str, &'static str)], url: &str| {
        no_reply::proxy_in_use(url, |name| variables.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned()))
    };
    let https = "https://api.x.test/v1";
    let set: &[_] = &[("HTTPS_PROXY", "http://user:passw0rd@10.0.0.1:3128"), ("no_proxy", "localhost,.y.test")];
    assert_eq!(with(set, https).as_deref(), Some("10.0.0.1:3128 (from HTTPS_PROXY)"));
    assert_eq!(with(set, "https://api.y.test/v1"), None);
    assert_eq!(with(set, "http://api.x.test/v1"), None);
    assert_eq!(with(&[("all_proxy", "proxy:9")], https).as_deref(), Some("proxy:9 (from all_proxy)"));
    assert_eq!(with(&[("https_proxy", "")], https), None);
}
