//! How long a server asks to wait: in headers, in the body, in its words.

use std::time::Duration;

use reqwest::header::HeaderMap;
use time::OffsetDateTime;
use time::format_description::well_known::{Rfc2822, Rfc3339};

use crate::model::openai::failure::WireError;

/// Numbers above this are points in time (seconds or milliseconds since 1970), not waits.
const EPOCH_SECONDS: f64 = 1e9;
const EPOCH_MILLIS: f64 = 1e12;

/// A longer wait is a slip of the server.
const LONGEST_BELIEVED: Duration = Duration::from_secs(31 * 86_400);

/// The first of: `retry-after-ms`, `Retry-After` (seconds or a date), Google's `retryDelay`, "try again in 7.66s" in the text, and for a
/// rate limit the headers that say when a budget is full again. A date in the past is no wait.
pub(super) fn asked_wait(status: u16, headers: &HeaderMap, wire: &WireError, now: OffsetDateTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|v| v.to_str().ok()).map(str::trim);
    let stated = text("retry-after-ms")
        .and_then(|t| t.parse::<f64>().ok())
        .and_then(|ms| seconds(ms / 1000.0))
        .or_else(|| text("retry-after").and_then(|t| point_or_span(t, now)))
        .or_else(|| wire.retry_delay.as_deref().and_then(|t| point_or_span(t, now)))
        .or_else(|| in_words(&wire.message));
    let wait = stated.or_else(|| if status == 429 { reset(headers, now) } else { None });
    wait.filter(|wait| *wait <= LONGEST_BELIEVED)
}

/// The budget that is used up decides; where none says so, the one that is full again first.
fn reset(headers: &HeaderMap, now: OffsetDateTime) -> Option<Duration> {
    let mut resets = Vec::new();
    for (name, value) in headers {
        let name = name.as_str();
        let Some(wait) = value.to_str().ok().filter(|_| is_reset(name)).and_then(|v| point_or_span(v.trim(), now)) else {
            continue;
        };
        let remaining = headers.get(name.replace("reset", "remaining")).and_then(|v| v.to_str().ok());
        resets.push((remaining.is_some_and(|r| r.trim() == "0"), wait));
    }
    let used_up = resets.iter().filter(|(used_up, _)| *used_up).map(|(_, wait)| *wait).max();
    used_up.or_else(|| resets.iter().map(|(_, wait)| *wait).min())
}

fn is_reset(name: &str) -> bool {
    name.contains("ratelimit") && name.contains("reset")
}

/// `7`, `0.5`, `1m30.5s`, `20ms`, a date, or a point in time as a number.
fn point_or_span(text: &str, now: OffsetDateTime) -> Option<Duration> {
    if let Ok(number) = text.parse::<f64>() {
        let at = if number >= EPOCH_MILLIS { number / 1000.0 } else { number };
        return seconds(if number >= EPOCH_SECONDS { at - now.unix_timestamp() as f64 } else { number });
    }
    span(text).filter(|(_, rest)| rest.is_empty()).map(|(wait, _)| wait).or_else(|| {
        let date = OffsetDateTime::parse(text, &Rfc2822).or_else(|_| OffsetDateTime::parse(text, &Rfc3339)).ok()?;
        Some(Duration::try_from(date - now).unwrap_or_default())
    })
}

/// The wait after "try again in" and the like.
fn in_words(message: &str) -> Option<Duration> {
    let lower = message.to_ascii_lowercase();
    ["try again in ", "retry in ", "retry after ", "wait for ", "available in "].iter().find_map(|phrase| {
        let after = lower.split_once(phrase)?.1;
        span(after).map(|(wait, _)| wait)
    })
}

/// A span such as `2m59.56s`, `1h`, `20ms` or `7.5 seconds` at the beginning, and what follows it. A number needs its unit.
fn span(text: &str) -> Option<(Duration, &str)> {
    let mut total = 0.0;
    let mut rest = text;
    let mut found = false;
    while let Some(end) = rest.find(|c: char| !c.is_ascii_digit() && c != '.').filter(|end| *end > 0) {
        let (number, tail) = rest.split_at(end);
        let Ok(number) = number.parse::<f64>() else { break };
        let spaced = tail.trim_start_matches(' ');
        let unit = spaced.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        let scale = match unit {
            "ms" | "milliseconds" | "millisecond" => 0.001,
            "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
            "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
            "h" | "hour" | "hours" => 3600.0,
            "d" | "day" | "days" => 86_400.0,
            _ => break,
        };
        total += number * scale;
        found = true;
        rest = spaced.get(unit.len()..).unwrap_or_default();
    }
    found.then(|| seconds(total)).flatten().map(|wait| (wait, rest))
}

fn seconds(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds.max(0.0)).ok()
}

/// A span for people, rounded up to what matters of it.
pub(super) fn in_people_words(wait: Duration) -> String {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7_199 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{} h", seconds.div_ceil(3600)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(headers: &[(&'static str, &str)], message: &str) -> Option<Duration> {
        let now = OffsetDateTime::from_unix_timestamp(1_445_412_480).unwrap();
        let headers = headers.iter().map(|(n, v)| (n.parse().unwrap(), v.parse().unwrap())).collect();
        asked_wait(429, &headers, &WireError { message: message.into(), ..WireError::default() }, now)
    }

    fn ms(ms: u64) -> Option<Duration> {
        Some(Duration::from_millis(ms))
    }

    #[test]
    fn retry_after_is_read_in_its_three_forms() {
        let of = |name: &'static str, value: &str| asked(&[(name, value)], "");
        assert_eq!(of("retry-after", "7"), ms(7_000));
        assert_eq!(of("retry-after", "0.5"), ms(500));
        assert_eq!(of("retry-after-ms", "1500"), ms(1_500));
        assert_eq!(of("retry-after", "Wed, 21 Oct 2015 07:28:30 GMT"), ms(30_000));
        assert_eq!(of("retry-after", "Wed, 21 Oct 2015 07:27:30 GMT"), ms(0));
        assert_eq!(of("retry-after", "45s"), ms(45_000));
        assert_eq!((of("retry-after", "NaN"), of("retry-after", "-1")), (ms(0), ms(0)));
        for odd in ["soon", "-", "inf", "1e300", "99999999999999999999"] {
            assert_eq!(of("retry-after", odd), None, "{odd}");
        }
    }

    #[test]
    fn words_and_budgets_of_many_servers_are_read() {
        for (message, wanted) in [
            (
                "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000. Please try again in 7.66s. Visit x.",
                ms(7_660),
            ),
            ("Please try again in 2m59.56s.", ms(179_560)),
            ("Please try again in 20ms.", ms(20)),
            ("Please retry in 32.5s.", ms(32_500)),
            ("Requests are limited. Please retry after 6 seconds.", ms(6_000)),
            ("Please try again in 1h0m5s", ms(3_605_000)),
            ("try again in a while", None),
            ("try again in 5 pages", None),
        ] {
            assert_eq!(asked(&[], message), wanted, "{message}");
        }
        // OpenAI and Groq: the budget that is used up decides.
        assert_eq!(
            asked(
                &[
                    ("x-ratelimit-remaining-requests", "0"),
                    ("x-ratelimit-reset-requests", "8.64s"),
                    ("x-ratelimit-remaining-tokens", "5000"),
                    ("x-ratelimit-reset-tokens", "1m0s")
                ],
                ""
            ),
            ms(8_640)
        );
        assert_eq!(asked(&[("x-ratelimit-reset-requests", "6m0s"), ("x-ratelimit-reset-tokens", "12ms")], ""), ms(12));
        // OpenRouter: milliseconds since 1970; others: seconds; Anthropic: a date.
        assert_eq!(asked(&[("x-ratelimit-reset", "1445412490000")], ""), ms(10_000));
        assert_eq!(asked(&[("x-ratelimit-reset", "1445412490")], ""), ms(10_000));
        assert_eq!(asked(&[("anthropic-ratelimit-tokens-reset", "2015-10-21T07:28:20Z")], ""), ms(20_000));
        // What is stated wins over what follows from a budget, which counts for a rate limit only.
        assert_eq!(asked(&[("x-ratelimit-reset", "60"), ("retry-after", "2")], "try again in 9s"), ms(2_000));
        let headers = HeaderMap::from_iter([("x-ratelimit-reset".parse().unwrap(), "60".parse().unwrap())]);
        assert_eq!(asked_wait(500, &headers, &WireError::default(), OffsetDateTime::UNIX_EPOCH), None);
        let google = WireError { retry_delay: Some("32s".into()), ..WireError::default() };
        assert_eq!(asked_wait(429, &HeaderMap::new(), &google, OffsetDateTime::UNIX_EPOCH), ms(32_000));
    }

    #[test]
    fn spans_are_told_in_the_unit_that_fits() {
        for (seconds, words) in [(0, "0 s"), (90, "90 s"), (3600, "60 min"), (7_200, "2 h"), (86_000, "24 h")] {
            assert_eq!(in_people_words(Duration::from_secs(seconds)), words);
        }
        assert_eq!(in_people_words(Duration::from_millis(1_500)), "2 s");
    }
}
