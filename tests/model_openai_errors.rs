//! What people read when a server refuses: for each server's error its kind, the message and what to do.
#![allow(clippy::unwrap_used, reason = "a test may stop where it fails")]

mod support;

use std::fmt::Write as _;
use std::io::{Read, Write as _};
use std::time::Duration;

use pagewise::model::openai::OpenAiSettings;
use support::ask::{ask, settings};
use support::fake_model::{FakeModel, Reply};

/// Server and what it is about, status, headers, body.
type Case = (&'static str, u16, &'static [(&'static str, &'static str)], &'static str);

const CASES: &[Case] = &[
    ("wrong path: llama.cpp", 404, &[], r#"{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}"#),
    ("wrong path: Ollama", 404, &[], "404 page not found"),
    ("wrong path: FastAPI (vLLM)", 404, &[], r#"{"detail":"Not Found"}"#),
    (
        "wrong path: OpenAI",
        404,
        &[],
        r#"{"error":{"message":"Invalid URL (POST /v1/x)","type":"invalid_request_error","param":null,"code":null}}"#,
    ),
    (
        "wrong path: LM Studio",
        200,
        &[],
        r#"{"error":"Unexpected endpoint or method. (POST /chat/completions). Returning 200 anyway"}"#,
    ),
    (
        "wrong path: a page of nginx about models",
        404,
        &[],
        "<html>\n<head><title>404 Not Found</title><style>a{}</style></head>\n<body>our models</body></html>",
    ),
    (
        "wrong path: a page with status 200",
        200,
        &[("content-type", "text/html")],
        "<!doctype html><html><title>Welcome</title></html>",
    ),
    ("wrong path: a redirect", 308, &[("location", "https://user:pw@elsewhere.test/v1?key=1")], ""),
    (
        "bad key: OpenAI, which shows a part of it",
        401,
        &[],
        r#"{"error":{"message":"Incorrect API key provided: sk-to****cret. You can find your API key at https://platform.openai.com/account/api-keys.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}"#,
    ),
    (
        "bad key: Gemini",
        400,
        &[],
        r#"[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com"}]}}]"#,
    ),
    ("bad key: OpenRouter", 401, &[], r#"{"error":{"message":"No auth credentials found","code":401}}"#),
    (
        "bad key: Azure",
        401,
        &[],
        r#"{"error":{"code":"401","message":"Access denied due to invalid subscription key or wrong API endpoint."}}"#,
    ),
    ("bad key: vLLM", 401, &[], r#"{"error":"Unauthorized"}"#),
    ("bad key: 403", 403, &[], r#"{"error":{"code":403,"message":"Permission denied","status":"PERMISSION_DENIED"}}"#),
    (
        "no credit: OpenAI",
        429,
        &[],
        r#"{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}"#,
    ),
    (
        "no credit: DeepSeek",
        402,
        &[],
        r#"{"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}}"#,
    ),
    (
        "no credit: OpenRouter",
        402,
        &[],
        r#"{"error":{"message":"This request requires more credits, or fewer max_tokens. You requested up to 100 tokens, but can only afford 5.","code":402}}"#,
    ),
    (
        "no credit: Anthropic",
        400,
        &[],
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}"#,
    ),
    (
        "no credit: xAI",
        403,
        &[],
        r#"{"code":"The caller does not have permission","error":"Your team has either used all available credits or reached its monthly spending limit."}"#,
    ),
    (
        "unknown model: Ollama",
        404,
        &[],
        r#"{"error":{"message":"model \"fake\" not found, try pulling it first","type":"api_error","param":null,"code":null}}"#,
    ),
    (
        "unknown model: vLLM",
        404,
        &[],
        r#"{"object":"error","message":"The model `fake` does not exist.","type":"NotFoundError","param":null,"code":404}"#,
    ),
    (
        "unknown model: OpenAI, no access",
        403,
        &[],
        r#"{"error":{"message":"Project `p` does not have access to model `fake`","type":"invalid_request_error","param":null,"code":"model_not_found"}}"#,
    ),
    ("unknown model: OpenRouter", 400, &[], r#"{"error":{"message":"fake is not a valid model ID","code":400}}"#),
    ("unknown model: OpenRouter, nobody offers it", 404, &[], r#"{"error":{"message":"No endpoints found for fake.","code":404}}"#),
    (
        "unknown model: Groq",
        400,
        &[],
        r#"{"error":{"message":"The model `fake` has been decommissioned and is no longer supported.","type":"invalid_request_error","code":"model_decommissioned"}}"#,
    ),
    (
        "unknown model: DeepSeek",
        400,
        &[],
        r#"{"error":{"message":"Model Not Exist","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}"#,
    ),
    (
        "unknown model: Mistral",
        400,
        &[],
        r#"{"object":"error","message":"Invalid model: fake","type":"invalid_model","param":null,"code":"1500"}"#,
    ),
    (
        "unknown model: Azure",
        404,
        &[],
        r#"{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist."}}"#,
    ),
    (
        "unknown model: LM Studio",
        404,
        &[],
        r#"{"error":{"message":"No models loaded. Please load a model in the developer page or use the `lms load` command.","type":"invalid_request_error","param":"model","code":"model_not_found"}}"#,
    ),
    (
        "no tools: Ollama",
        400,
        &[],
        r#"{"error":{"message":"registry.ollama.ai/library/fake does not support tools","type":"api_error","param":null,"code":null}}"#,
    ),
    (
        "no tools: OpenRouter",
        404,
        &[],
        r#"{"error":{"message":"No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs","code":404}}"#,
    ),
    (
        "no tools: vLLM",
        400,
        &[],
        r#"{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","param":null,"code":400}"#,
    ),
    (
        "no tools: llama.cpp",
        500,
        &[],
        r#"{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}"#,
    ),
    (
        "rate limit: OpenAI, a long one",
        429,
        &[("retry-after", "3600")],
        r#"{"error":{"message":"Rate limit reached for requests","type":"requests","param":null,"code":"rate_limit_exceeded"}}"#,
    ),
    (
        "rate limit: Groq, of the day",
        429,
        &[("retry-after", "431")],
        r#"{"error":{"message":"Rate limit reached for model `fake` on tokens per day (TPD): Limit 100000, Used 99000. Please try again in 7m11s.","type":"tokens","code":"rate_limit_exceeded"}}"#,
    ),
    (
        "rate limit: Gemini, of the day",
        429,
        &[],
        r#"[{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"32s"}]}}]"#,
    ),
    (
        "rate limit: Gemini, of the minute",
        429,
        &[],
        r#"[{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"32s"}]}}]"#,
    ),
    (
        "rate limit: OpenRouter, headers in the body",
        429,
        &[],
        r#"{"error":{"message":"Rate limit exceeded: free-models-per-min. ","code":429,"metadata":{"headers":{"X-RateLimit-Limit":"20","X-RateLimit-Remaining":"0","X-RateLimit-Reset":"1000000000000"},"provider_name":null}}}"#,
    ),
    (
        "too long: OpenAI",
        400,
        &[],
        r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
    ),
    (
        "too long: llama.cpp",
        400,
        &[],
        r#"{"error":{"code":400,"message":"request (1363 tokens) exceeds the available context size (1024 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":1363,"n_ctx":1024}}"#,
    ),
    (
        "too long: Gemini",
        400,
        &[],
        r#"{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}"#,
    ),
    (
        "too long: Mistral",
        400,
        &[],
        r#"{"object":"error","message":"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length","type":"invalid_request_message_order","param":null,"code":null}"#,
    ),
    (
        "too long: text-generation-inference",
        422,
        &[],
        r#"{"error":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 100 `max_new_tokens`","error_type":"validation"}"#,
    ),
    (
        "too long: xAI",
        400,
        &[],
        r#"{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 150000 tokens."}"#,
    ),
    (
        "too long: Anthropic",
        400,
        &[],
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
    ),
    (
        "too long: Groq, more than a minute's budget",
        413,
        &[],
        r#"{"error":{"message":"Request too large for model `fake` on tokens per minute (TPM): Limit 6000, Requested 9000, please reduce your message size and try again.","type":"tokens","code":"rate_limit_exceeded"}}"#,
    ),
    (
        "too long: OpenAI, more than a minute's budget",
        429,
        &[],
        r#"{"error":{"message":"Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 40000.","type":"tokens","param":null,"code":"rate_limit_exceeded"}}"#,
    ),
    (
        "too long: LM Studio",
        400,
        &[],
        r#"{"error":"Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens."}"#,
    ),
    (
        "refused: OpenRouter's moderation",
        403,
        &[],
        r#"{"error":{"code":403,"message":"fake requires moderation. Your input was flagged.","metadata":{"reasons":["x"]}}}"#,
    ),
    (
        "refused: Azure's filter",
        400,
        &[],
        r#"{"error":{"message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy.","type":null,"param":"prompt","code":"content_filter","status":400}}"#,
    ),
    ("refused: the other of http and https", 400, &[], "Client sent an HTTP request to an HTTPS server.\n"),
    (
        "failed: a gateway's page",
        502,
        &[],
        "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>",
    ),
    ("failed: Ollama is busy", 503, &[], r#"{"error":"server busy, please try again.  maximum pending requests exceeded"}"#),
    ("failed: Anthropic is overloaded", 529, &[], r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#),
    ("a proxy wants a password", 407, &[], "proxy wants password"),
];

#[tokio::test]
async fn each_servers_error_is_told_with_what_to_do() {
    let mut told = String::new();
    for (name, status, headers, body) in CASES {
        let reply = headers.iter().fold(Reply::error(*status, *body), |reply, (name, value)| reply.header(name, value));
        let server = FakeModel::start([reply]);
        server.set_models(&["fake:latest", "other:7b"]);
        let mut with = settings(&server);
        with.retry.tries = 1;
        let heard = ask(with).await;
        let error = heard.error();
        let url = server.base_url();
        let shown = format!("{:?}: {}\n    {}", error.kind, error.message, error.hint.as_deref().unwrap_or("-"));
        assert!(!shown.contains("topsecret") && !shown.contains("sk-to"), "{shown}");
        let _ = writeln!(told, "{name}\n  {}", shown.replace(&format!("{url}/chat/completions (fake): "), "").replace(&url, "URL"));
    }
    insta::assert_snapshot!(told);
}

/// A server without a key set says something else.
#[tokio::test]
async fn a_missing_key_is_told() {
    let server = FakeModel::start([Reply::api_error(401, "You didn't provide an API key.", "x")]);
    let error = ask(OpenAiSettings { api_key: None, ..settings(&server) }).await.result.err().unwrap();
    assert!(error.message.contains("the server wants a key (401)"), "{error}");
    assert!(error.hint.unwrap().contains("OPENAI_API_KEY"));
}

/// Answers whoever connects with these bytes.
fn port_that_says(bytes: &'static [u8]) -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().take(4).flatten() {
            let mut stream = stream;
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(bytes);
        }
    });
    port
}

#[tokio::test]
async fn what_gives_no_reply_is_told_apart() {
    let with = |base_url: String| {
        let mut with = OpenAiSettings { base_url, ..settings(&FakeModel::start([])) };
        with.retry.first_wait = Duration::from_millis(1);
        with
    };
    let ssh = port_that_says(b"SSH-2.0-OpenSSH_9.6\r\n");
    let alert = port_that_says(b"\x15\x03\x01\x00\x02\x02\x46");
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let plain = FakeModel::start([]);
    let cut = FakeModel::answering(|_| Reply::text("One two three four").cut_after(500));
    let mut told = String::new();
    for (name, url) in [
        ("another protocol", format!("http://127.0.0.1:{ssh}/v1")),
        ("http to a TLS port", format!("http://127.0.0.1:{alert}/v1")),
        ("https to a plain port", format!("https://{}/v1", plain.host())),
        ("nothing listens", format!("http://127.0.0.1:{free}/v1")),
        ("no such host", "http://no-such-host.invalid/v1".to_owned()),
        ("broken off in the middle", cut.base_url()),
    ] {
        let heard = ask(with(url.clone())).await;
        let error = heard.error();
        let host = url.split('/').nth(2).unwrap().to_owned();
        let message = error.message.replace(&host, "HOST");
        let _ = writeln!(
            told,
            "{name}, {} more tries\n  {:?}: {message}\n    {}",
            heard.retries().len(),
            error.kind,
            error.hint.as_deref().unwrap_or("-")
        );
    }
    insta::assert_snapshot!(told);
}
