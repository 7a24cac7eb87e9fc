//! The OpenAI-compatible model when things go wrong: retries, errors in words, time-outs, proxies.

mod support;

use std::time::Duration;

use pagewise::model::openai::{OpenAiModel, OpenAiSettings};
use pagewise::model::{HistoryItem, ModelDelta, ModelErrorKind as Kind, ToolChoice};
use serde_json::json;
use support::ask::{ask, settings, turn};
use support::fake_model::{FakeModel, Reply};

#[tokio::test]
async fn passing_faults_are_tried_again_and_announced() {
    for status in [408, 409, 429, 500, 502, 503, 529] {
        let server = FakeModel::start([Reply::api_error(status, "try later", "x"), Reply::text("Yes.").usage(5, 1)]);
        let heard = ask(settings(&server)).await;
        assert_eq!((heard.text().as_str(), heard.retries().len()), ("Yes.", 1), "{status}");
        assert!(heard.retries()[0].contains("try later"), "{:?}", heard.retries());
        assert_eq!(heard.turn().usage.map(|u| u.requests), Some(2));
    }
    let server = FakeModel::start([Reply::hangup(), Reply::error(502, "<html><h1>Bad Gateway</h1></html>"), Reply::text("Yes.")]);
    let heard = ask(settings(&server)).await;
    assert_eq!((heard.text().as_str(), heard.retries().len()), ("Yes.", 2));
    assert!(heard.retries()[1].ends_with("(502): Bad Gateway"), "{:?}", heard.retries());
}

#[tokio::test]
async fn tries_are_bounded() {
    let server = FakeModel::answering(|_| Reply::api_error(500, "always", "x"));
    let heard = ask(settings(&server)).await;
    assert_eq!((heard.error().kind, heard.error().status), (Kind::Server, Some(500)));
    assert_eq!((server.requests().len(), heard.retries().len()), (4, 3));
}

#[tokio::test]
async fn retry_after_is_honoured_up_to_a_bound() {
    let server = FakeModel::start([
        Reply::api_error(429, "slow down", "rate_limit_exceeded").header("retry-after-ms", "30"),
        Reply::text("Yes."),
    ]);
    let heard = ask(settings(&server)).await;
    assert!(
        matches!(&heard.deltas[0], ModelDelta::Retry { after, .. } if *after >= Duration::from_millis(30) && *after < Duration::from_secs(1))
    );
    heard.turn();

    let server = FakeModel::start([Reply::api_error(429, "slow down", "rate_limit_exceeded").header("Retry-After", "3600")]);
    let heard = ask(settings(&server)).await;
    assert_eq!(
        (heard.error().kind, heard.error().retry_after, server.requests().len()),
        (Kind::RateLimited, Some(Duration::from_secs(3600)), 1)
    );
}

/// The status survives whatever the body looks like.
#[tokio::test]
async fn lasting_faults_end_at_once_and_say_what_to_do() {
    for (reply, kind) in [
        (Reply::api_error(401, "Incorrect API key provided", "invalid_api_key"), Kind::BadKey),
        (Reply::error(401, json!({"detail": "Not authenticated"})), Kind::BadKey),
        (Reply::error(403, json!({"error": {"code": 403, "message": "no"}})), Kind::BadKey),
        (Reply::error(402, json!({"message": "pay"})), Kind::NoCredit),
        (
            Reply::error(429, json!({"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}})),
            Kind::NoCredit,
        ),
        (Reply::error(404, json!({"detail": "Not Found"})), Kind::WrongPath),
        (Reply::error(404, "404 page not found"), Kind::WrongPath),
        (Reply::error(307, "").header("location", "https://elsewhere.test/v1/chat/completions?key=1"), Kind::WrongPath),
        (
            Reply::error(
                400,
                json!({"error": {"message": "This model's maximum context length is 10", "code": "context_length_exceeded"}}),
            ),
            Kind::ContextTooLong,
        ),
        (Reply::error(400, json!({"error": "fake does not support tools"})), Kind::Refused),
        (Reply::error(200, "<!doctype html><title>Welcome</title>"), Kind::BadReply),
    ] {
        let server = FakeModel::start([reply.clone()]);
        let heard = ask(settings(&server)).await;
        let error = heard.error();
        assert_eq!((error.kind, server.requests().len(), heard.retries().len()), (kind, 1, 0), "{reply:?}");
        assert!(error.message.contains(&format!("{}/chat/completions (fake)", server.base_url())), "{error}");
        assert!(error.hint.is_some() || kind == Kind::Refused, "{error:?}");
    }
}

#[tokio::test]
async fn an_unknown_model_comes_with_those_that_the_server_has() {
    let missing = Reply::error(404, json!({"error": "model \"fake\" not found, try pulling it first"}));
    let server = FakeModel::start([missing.clone(), missing]);
    server.set_models(&["other:7b", "fake:latest"]);
    let heard = ask(settings(&server)).await;
    assert_eq!(heard.error().kind, Kind::UnknownModel);
    assert_eq!(heard.error().hint.as_deref(), Some("The server has: fake:latest, other:7b."));
    server.set_models(&[]);
    assert_eq!(ask(settings(&server)).await.error().hint.as_deref(), Some("Check the model's name."));
}

#[tokio::test]
async fn a_model_that_is_loading_is_waited_for() {
    let loading = Reply::error(503, json!({"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}}))
        .header("retry-after-ms", "1");
    let script = std::iter::repeat_n(loading, 9).chain([Reply::text("Yes.")]);
    let server = FakeModel::start(script);
    let heard = ask(settings(&server)).await;
    assert_eq!((heard.text().as_str(), heard.retries().len()), ("Yes.", 9));
    assert!(heard.retries()[0].contains("still loading the model"));
}

#[tokio::test]
async fn a_cut_stream_is_discarded_and_asked_for_again() {
    let cut = [
        Reply::text("Revenue was 24").unfinished(),
        Reply::text("Revenue was 24").unfinished().cut_after(600),
        Reply::tool_call("get_page_content", json!({"pages": "1,3"})).with_text("Revenue ").unfinished().cut_after(760),
    ];
    for reply in cut {
        let server = FakeModel::start([reply.clone(), Reply::text("Revenue was 24.7.")]);
        let heard = ask(settings(&server)).await;
        assert_eq!((heard.text().as_str(), heard.retries().len()), ("Revenue was 24.7.", 1), "{reply:?}");
        assert_eq!(heard.deltas.iter().filter(|d| **d == ModelDelta::Discarded).count(), 1);
        assert_eq!(heard.turn().items.len(), 1);
    }
    let server = FakeModel::answering(|_| Reply::text("Revenue").unfinished());
    let heard = ask(settings(&server)).await;
    assert_eq!((heard.error().kind, server.requests().len(), heard.text().as_str()), (Kind::CutOff, 4, ""));
    // Cut after the reason for its end, nothing is missing.
    let whole =
        Reply::raw_sse("data: {\"choices\":[{\"delta\":{\"content\":\"Yes.\"},\"finish_reason\":\"stop\"}]}\n\ndata: {\"cho")
            .cut_after(80);
    let server = FakeModel::start([whole]);
    assert_eq!(ask(settings(&server)).await.text(), "Yes.");
}

#[tokio::test]
async fn an_error_in_mid_stream_is_no_answer() {
    let start = "data: {\"choices\":[{\"delta\":{\"content\":\"Reve\"}}]}\n\n";
    for event in [
        "data: {\"error\": {\"code\": 502, \"message\": \"Provider went away\"}}\n\n",
        "event: error\ndata: {\"object\": \"error\", \"message\": \"Provider went away\", \"code\": 500}\n\ndata: [DONE]\n\n",
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"error\",\"error\":{\"message\":\"Provider went away\"}}]}\n\n",
        "data: {broken\n\ndata: [DONE]\n\n",
    ] {
        let server = FakeModel::start([Reply::raw_sse(format!("{start}{event}")), Reply::text("Revenue.")]);
        let heard = ask(settings(&server)).await;
        assert_eq!((heard.text().as_str(), heard.retries().len()), ("Revenue.", 1), "{event}");
        assert!(heard.deltas.contains(&ModelDelta::Discarded));
    }
    let lasting = "data: {\"error\": {\"code\": \"context_length_exceeded\", \"message\": \"too long\"}}\n\n";
    let server = FakeModel::start([Reply::raw_sse(lasting), Reply::json(&json!({"error": {"message": "no", "code": 401}}))]);
    assert_eq!(ask(settings(&server)).await.error().kind, Kind::ContextTooLong);
    assert_eq!(ask(settings(&server)).await.error().kind, Kind::BadKey);
}

#[tokio::test]
async fn replies_that_are_none_are_told() {
    for reply in
        [Reply::json(&json!({"status": "ok"})), Reply::raw_sse(""), Reply::raw_sse("data: [DONE]\n\n"), Reply::json(&json!([1]))]
    {
        let server = FakeModel::answering(move |_| reply.clone());
        let heard = ask(settings(&server)).await;
        assert!(matches!(heard.error().kind, Kind::BadReply | Kind::CutOff), "{:?}", heard.error());
        assert!(server.requests().len() <= 4);
    }
}

/// The server's own reader of calls failed (llama.cpp, vLLM): the remark before the call is no answer.
#[tokio::test]
async fn a_call_that_the_server_lost_is_asked_for_once_more() {
    let lost = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"I will look.\"},\"finish_reason\":null}]}\n\n\
        data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n";
    let server = FakeModel::start([Reply::raw_sse(lost), Reply::tool_call("get_page_content", json!({"pages": "1"}))]);
    let heard = ask(settings(&server)).await;
    assert_eq!((heard.calls().len(), heard.text().as_str(), heard.retries().len()), (1, "", 1));
    let server = FakeModel::answering(move |_| Reply::raw_sse(lost));
    let heard = ask(settings(&server)).await;
    assert_eq!((heard.error().kind, server.requests().len(), heard.text().as_str()), (Kind::BadReply, 2, ""));
    assert!(heard.error().message.ends_with("but sent no call"), "{}", heard.error());
}

#[tokio::test]
async fn silence_is_bounded() {
    let mut with = settings(&FakeModel::start([]));
    with.timeouts.first_byte = Duration::from_millis(50);
    with.timeouts.idle = Duration::from_millis(50);
    let long = Duration::from_secs(2);
    for (reply, kind, requests) in [
        (Reply::text("Late.").delay(long), Kind::Unreachable, 2),
        (Reply::text("One two three").stall_after(20, long), Kind::Unreachable, 2),
        (Reply::text("One two three").stall_after(420, long), Kind::CutOff, 4),
    ] {
        // On a busy machine the first words may take longer than the silence that is tested.
        with.timeouts.first_byte = Duration::from_millis(if kind == Kind::CutOff { 1_500 } else { 50 });
        let again = reply.clone();
        let server = FakeModel::answering(move |_| again.clone());
        with.base_url = server.base_url();
        let heard = ask(with.clone()).await;
        assert_eq!((heard.error().kind, server.requests().len()), (kind, requests), "{reply:?}");
        assert!(heard.error().message.contains("0.05 s"), "{}", heard.error());
    }
}

#[tokio::test]
async fn servers_that_cannot_be_reached_are_told_apart() {
    let with = |base_url: &str| OpenAiSettings { base_url: base_url.into(), ..settings(&FakeModel::start([])) };
    // A port that was just free: nothing listens.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let heard = ask(with(&format!("http://127.0.0.1:{port}/v1"))).await;
    assert_eq!((heard.error().kind, heard.retries().len()), (Kind::Unreachable, 3));
    assert!(heard.error().message.to_lowercase().contains("refused"), "{}", heard.error());

    let server = FakeModel::start([]);
    let heard = ask(with(&format!("https://{}/v1", server.host()))).await;
    assert_eq!((heard.error().kind, heard.retries().len()), (Kind::Tls, 0), "{}", heard.error());
}

#[tokio::test]
async fn a_key_is_never_shown() {
    let echo = "bad key sk-topsecret\u{1b}[31m";
    let replies = [
        Reply::error(401, json!({"error": {"message": echo}})),
        Reply::error(400, echo),
        Reply::raw_sse(format!("data: {}\n\n", json!({"error": {"message": echo, "code": 400}}))),
    ];
    for reply in replies {
        let server = FakeModel::start([reply]);
        let heard = ask(settings(&server)).await;
        let model = OpenAiModel::new(settings(&server)).unwrap();
        let shown = format!("{0:?} {0} {1:?} {2:?}", heard.error(), model, settings(&server));
        assert!(!shown.contains("topsecret") && !shown.contains('\u{1b}'), "{shown}");
        assert!(heard.error().message.contains("[key]"));
    }
}

#[test]
fn settings_that_cannot_work_are_refused_before_anything_is_sent() {
    let refused = |change: fn(&mut OpenAiSettings)| {
        let mut settings = OpenAiSettings { model: "m".into(), ..OpenAiSettings::default() };
        change(&mut settings);
        OpenAiModel::new(settings).err().map(|e| e.kind)
    };
    assert_eq!(refused(|_| ()), None);
    assert_eq!(refused(|s| s.model = " ".into()), Some(Kind::Settings));
    assert_eq!(refused(|s| s.base_url = "localhost:8080/v1".into()), Some(Kind::Settings));
    assert_eq!(refused(|s| s.api_key = Some("a\nb".into())), Some(Kind::Settings));
    assert_eq!(refused(|s| s.api_key = Some(" a\n".into())), None);
    assert_eq!(refused(|s| drop(s.extra_headers.insert("a b".into(), "c".into()))), Some(Kind::Settings));
}

/// Runs in a process of its own, started by the next test, since proxies are taken from the environment.
#[tokio::test]
async fn asks_a_host_behind_a_proxy() {
    let Ok(base_url) = std::env::var("TEST_BASE_URL") else { return };
    let mut with = settings(&FakeModel::start([]));
    with.base_url = base_url;
    with.retry.tries = 1;
    let heard = turn(&OpenAiModel::new(with).unwrap(), &[HistoryItem::User { text: "Q".into() }], ToolChoice::Auto).await;
    assert_eq!(heard.result.is_ok(), std::env::var("TEST_ANSWERS").is_ok(), "{:?}", heard.result);
}

#[test]
fn proxies_are_taken_from_the_environment() {
    let ask = |proxy: &str, base_url: &str, answers: bool| {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "asks_a_host_behind_a_proxy"]);
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"] {
            child.env_remove(name);
        }
        child.env("HTTP_PROXY", proxy).env("HTTPS_PROXY", proxy).env("TEST_BASE_URL", base_url);
        if answers {
            child.env("TEST_ANSWERS", "1");
        }
        let output = child.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    };
    let proxy = FakeModel::start([Reply::text("Yes.")]);
    let url = format!("http://{}", proxy.host());
    ask(&url, "http://model.invalid/v1", true);
    assert_eq!(proxy.requests()[0].path, "http://model.invalid/v1/chat/completions");
    // Through a tunnel, which this one refuses.
    ask(&url, "https://model.invalid/v1", false);
    assert_eq!((proxy.requests()[1].method.as_str(), proxy.requests()[1].path.as_str()), ("CONNECT", "model.invalid:443"));
    // This machine is never reached through a proxy.
    let local = FakeModel::start([Reply::text("Yes.")]);
    ask(&url, &local.base_url(), true);
    assert_eq!((local.requests().len(), proxy.requests().len()), (1, 2));
}
