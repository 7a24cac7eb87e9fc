//! Waiting for a model server: every wait is announced, has a bound, and says how long it is.

mod support;

use std::time::Duration;

use pagewise::model::openai::OpenAiSettings;
use pagewise::model::{ModelDelta, ModelErrorKind as Kind};
use serde_json::json;
use support::ask::{ask, settings};
use support::fake_model::{FakeModel, Reply};

fn quick(server: &FakeModel) -> OpenAiSettings {
    let mut with = settings(server);
    with.timeouts.notice = Duration::from_millis(40);
    with
}

#[tokio::test]
async fn a_silence_is_announced_with_what_is_waited_for() {
    let server = FakeModel::start([Reply::text("One two").delay(Duration::from_millis(300))]);
    let heard = ask(quick(&server)).await;
    assert_eq!(heard.text(), "One two");
    assert!(heard.waits().len() >= 2, "{:?}", heard.deltas);
    assert!(heard.waits().iter().all(|what| *what == format!("the first words of fake at {}", server.host())));
    let ModelDelta::Waiting { waited, bound, .. } = &heard.deltas[0] else { panic!("{:?}", heard.deltas) };
    assert!(*waited >= Duration::from_millis(40) && *bound == Duration::from_secs(20));

    let server = FakeModel::start([Reply::text("One two three").stall_after(420, Duration::from_millis(300))]);
    let heard = ask(quick(&server)).await;
    assert_eq!(heard.text(), "One two three");
    assert!(heard.waits().contains(&"more of the reply"), "{:?}", heard.deltas);
}

#[tokio::test]
async fn a_quick_reply_is_not_announced() {
    let heard = ask(settings(&FakeModel::start([Reply::text("One two")]))).await;
    assert_eq!((heard.text().as_str(), heard.waits().len()), ("One two", 0));
}

/// Comments, empty chunks, chunks without choices: bytes that are no words, for longer than the bound.
#[tokio::test]
async fn keep_alives_do_not_stretch_the_wait_without_end() {
    let word = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Reve\"}}]}\n\n";
    for (begin, keep_alive, kind, requests) in [
        ("", ": OPENROUTER PROCESSING\n\n", Kind::Unreachable, 2),
        ("", "data: {\"choices\":[]}\n\n", Kind::Unreachable, 2),
        ("", "data: {\"choices\":[{\"index\":0,\"delta\":{}}]}\n\n", Kind::Unreachable, 2),
        (word, ": keep-alive\n\n", Kind::CutOff, 4),
    ] {
        let body = format!("{begin}{}", keep_alive.repeat(400));
        let server = FakeModel::answering(move |_| {
            Reply::raw_sse(body.clone()).in_pieces(keep_alive.len()).paced(Duration::from_millis(10))
        });
        let mut with = quick(&server);
        with.timeouts.first_byte = Duration::from_millis(400);
        with.timeouts.idle = Duration::from_millis(400);
        let heard = ask(with).await;
        assert_eq!((heard.error().kind, server.requests().len()), (kind, requests), "{begin:?} {keep_alive:?}");
        assert!(!heard.waits().is_empty(), "{:?}", heard.deltas);
        assert!(heard.error().message.contains("0.4 s"), "{}", heard.error());
    }
}

#[tokio::test]
async fn a_long_wait_for_a_rate_limit_is_counted_down() {
    let limited = Reply::error(429, json!({"error": {"message": "Please try again in 300ms.", "code": "rate_limit_exceeded"}}));
    let server = FakeModel::start([limited, Reply::text("Yes.")]);
    let heard = ask(quick(&server)).await;
    assert_eq!(heard.text(), "Yes.");
    let waits: Vec<(Duration, &str)> = heard
        .deltas
        .iter()
        .filter_map(|d| if let ModelDelta::Retry { after, reason } = d { Some((*after, reason.as_str())) } else { None })
        .collect();
    assert!(waits.len() >= 3, "{waits:?}");
    assert!(waits[0].0 >= Duration::from_millis(300) && waits[0].1.contains("rate limit is reached (429)"), "{waits:?}");
    assert!(waits.windows(2).all(|pair| pair[1].0 < pair[0].0), "{waits:?}");
    assert_eq!(waits[1].1, format!("waiting for the rate limit of {}", server.host()));
}

/// Questions side by side under one budget refuse each other; none is lost over it.
#[tokio::test]
async fn a_rate_limit_that_names_its_wait_costs_time_and_no_tries() {
    let limited = Reply::api_error(429, "slow down", "rate_limit_exceeded").header("retry-after-ms", "5");
    let script: Vec<Reply> = std::iter::repeat_n(limited.clone(), 12).chain([Reply::text("Yes.")]).collect();
    let server = FakeModel::start(script);
    let heard = ask(settings(&server)).await;
    assert_eq!((heard.text().as_str(), heard.retries().len()), ("Yes.", 12));

    let server = FakeModel::answering(move |_| limited.clone());
    let mut with = settings(&server);
    with.retry.rate_limit = Duration::from_millis(60);
    let heard = ask(with).await;
    assert_eq!(heard.error().kind, Kind::RateLimited);
    assert!(heard.error().message.contains("given up after"), "{}", heard.error());
}

/// A budget of the day does not come back while somebody waits.
#[tokio::test]
async fn a_quota_of_the_day_ends_at_once() {
    let daily =
        Reply::error(429, json!({"error": {"message": "Limit reached on requests per day (RPD). Please try again in 20ms."}}));
    let server = FakeModel::answering(move |_| daily.clone());
    let heard = ask(settings(&server)).await;
    assert_eq!((heard.error().kind, server.requests().len()), (Kind::RateLimited, 1));
    assert!(heard.error().hint.as_deref().is_some_and(|hint| hint.contains("this day")));
}
