//! Streams as servers send them, byte for byte, one for each quirk that is known, and what is understood of them. The file is longer than
//! others because the bytes and what is made of them stand side by side, in one table for each kind of stream.

mod support;

use std::collections::BTreeSet;

use pagewise::model::{Finish, HistoryItem, ModelDelta, ModelErrorKind as Kind};
use serde_json::{Value, json};
use support::ask::{Heard, ask, settings};
use support::fake_model::{FakeModel, Reply};

/// One stream, named for its server and quirk.
struct Stream {
    server: &'static str,
    bytes: &'static str,
    text: &'static str,
    thinking: &'static str,
    input_tokens: u64,
}

const fn says(server: &'static str, text: &'static str, bytes: &'static str) -> Stream {
    Stream { server, bytes, text, thinking: "", input_tokens: 0 }
}

const ANSWERS: &[Stream] = &[
    Stream {
        input_tokens: 9,
        ..says(
            "OpenAI: log probabilities, counts in a last chunk without choices",
            "Yes.",
            r#"data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","service_tier":"default","system_fingerprint":"fp","choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"a"}

data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"Yes."},"logprobs":{"content":[{"token":"Yes.","logprob":-0.1,"bytes":[89],"top_logprobs":[]}],"refusal":null},"finish_reason":null}],"usage":null}

data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}],"usage":null}

data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11,"prompt_tokens_details":{"cached_tokens":0}}}

data: [DONE]

"#,
        )
    },
    says(
        "Azure: a first chunk with the filter's results and no choices",
        "Yes.",
        r#"data: {"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0,"content_filter_results":{"hate":{"filtered":false,"severity":"safe"}}}]}

data: {"choices":[{"content_filter_results":{},"delta":{"content":"Yes.","role":"assistant"},"finish_reason":null,"index":0,"logprobs":null}],"created":1,"id":"c","model":"m","object":"chat.completion.chunk"}

data: {"choices":[{"content_filter_offsets":{"check_offset":1},"content_filter_results":{},"finish_reason":null,"index":0}],"created":0,"id":"","model":"","object":""}

data: {"choices":[{"content_filter_results":{},"delta":{},"finish_reason":"stop","index":0,"logprobs":null}],"created":1,"id":"c","model":"m","object":"chat.completion.chunk"}

data: [DONE]

"#,
    ),
    says(
        "vLLM: the role with every piece, empty lists of calls",
        "Yes. No.",
        r#"data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}]}

data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":"Yes.","tool_calls":[]},"logprobs":null,"finish_reason":null}]}

data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":" No.","tool_calls":[]},"logprobs":null,"finish_reason":"stop","stop_reason":null}]}

data: [DONE]

"#,
    ),
    Stream {
        input_tokens: 5,
        ..says(
            "llama.cpp: content null first, timings, counts beside them",
            "Yes.",
            r#"data: {"choices":[{"finish_reason":null,"index":0,"delta":{"role":"assistant","content":null}}],"created":1,"id":"c","model":"m","system_fingerprint":"b1","object":"chat.completion.chunk"}

data: {"choices":[{"finish_reason":null,"index":0,"delta":{"content":"Yes."}}],"created":1,"id":"c","model":"m","object":"chat.completion.chunk"}

data: {"choices":[{"finish_reason":"stop","index":0,"delta":{}}],"created":1,"id":"c","model":"m","object":"chat.completion.chunk"}

data: {"choices":[],"created":1,"id":"c","model":"m","object":"chat.completion.chunk","usage":{"completion_tokens":1,"prompt_tokens":5,"total_tokens":6},"timings":{"prompt_n":5,"prompt_ms":1.5}}

data: [DONE]

"#,
        )
    },
    Stream {
        thinking: "Hm.",
        ..says(
            "OpenRouter: comments while the server behind it works, reasoning under two names",
            "Yes.",
            r#": OPENROUTER PROCESSING

: OPENROUTER PROCESSING

data: {"id":"gen-1","provider":"P","model":"m","object":"chat.completion.chunk","created":1,"choices":[{"index":0,"delta":{"role":"assistant","content":"","reasoning":"Hm.","reasoning_details":[{"type":"reasoning.text","text":"Hm.","format":"unknown","index":0}]},"finish_reason":null,"native_finish_reason":null,"logprobs":null}]}

: OPENROUTER PROCESSING

data: {"id":"gen-1","choices":[{"index":0,"delta":{"role":"assistant","content":"Yes."},"finish_reason":null,"native_finish_reason":null,"logprobs":null}]}

data: {"id":"gen-1","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"stop","native_finish_reason":"end_turn","logprobs":null}]}

data: [DONE]

"#,
        )
    },
    Stream {
        thinking: "Hm.",
        ..says(
            "DeepSeek: content null beside reasoning_content, keep-alive comments",
            "Yes.",
            r#": keep-alive

data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":null,"reasoning_content":""},"logprobs":null,"finish_reason":null}]}

data: {"id":"c","choices":[{"index":0,"delta":{"content":null,"reasoning_content":"Hm."},"logprobs":null,"finish_reason":null}]}

data: {"id":"c","choices":[{"index":0,"delta":{"content":"Yes.","reasoning_content":null},"logprobs":null,"finish_reason":null}]}

data: {"id":"c","choices":[{"index":0,"delta":{"content":"","reasoning_content":null},"logprobs":null,"finish_reason":"stop"}]}

data: [DONE]

"#,
        )
    },
    Stream {
        thinking: "Hm.",
        ..says(
            "Mistral: content as a list with the reasoning in it",
            "Yes.",
            r#"data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}]}]},"finish_reason":null}]}

data: {"id":"c","choices":[{"index":0,"delta":{"content":"Yes."},"finish_reason":"stop"}],"usage":{"prompt_tokens":0,"total_tokens":0,"completion_tokens":0}}

data: [DONE]

"#,
        )
    },
    Stream {
        input_tokens: 7,
        ..says(
            "Groq: counts under x_groq",
            "Yes.",
            r#"data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","system_fingerprint":"fp","choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}],"x_groq":{"id":"req_1"}}

data: {"id":"c","choices":[{"index":0,"delta":{"content":"Yes."},"logprobs":null,"finish_reason":null}]}

data: {"id":"c","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}],"x_groq":{"id":"req_1","usage":{"queue_time":0.01,"prompt_tokens":7,"completion_tokens":1}}}

data: [DONE]

"#,
        )
    },
    says(
        "text-generation-inference: no blank after data:, its own finish reason",
        "Yes.",
        "data:{\"object\":\"chat.completion.chunk\",\"id\":\"\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"Yes.\"},\"logprobs\":null,\"finish_reason\":\"eos_token\"}]}\n\ndata:[DONE]\n\n",
    ),
    says(
        "Together: a seed beyond 64 bits, two finish chunks, text after the finish",
        "Yes. No.",
        r#"data: {"id":"c","object":"chat.completion.chunk","created":1,"choices":[{"index":0,"text":"Yes.","logprobs":null,"finish_reason":null,"seed":null,"delta":{"token_id":1,"role":"assistant","content":"Yes.","tool_calls":null}}],"model":"m","usage":null}

data: {"id":"c","choices":[{"index":0,"text":"","finish_reason":"eos","seed":18446744073709551617,"delta":{"content":""}}],"usage":null}

data: {"id":"c","choices":[{"index":0,"delta":{"content":" No."},"finish_reason":null}]}

data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: [DONE]

"#,
    ),
    Stream {
        input_tokens: 4,
        ..says(
            "Perplexity and Fireworks: the whole message beside each piece, running counts",
            "Yes. No.",
            r#"data: {"id":"c","choices":[{"index":0,"finish_reason":null,"message":{"role":"assistant","content":"Yes."},"delta":{"role":"assistant","content":"Yes."}}],"usage":{"prompt_tokens":4,"completion_tokens":1}}

data: {"id":"c","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"Yes. No."},"delta":{"role":"assistant","content":" No."}}],"usage":{"prompt_tokens":4,"completion_tokens":2}}

data: [DONE]

"#,
        )
    },
    says(
        "proxies of small servers: created as a float, everything else missing or null",
        "Yes.",
        r#"data: {"created":1.7e9,"choices":[null]}

data: {"created":1718345013.5,"id":null,"model":null,"choices":[{"delta":null,"finish_reason":null}]}

data: {"choices":null}

data: null

data: {"choices":[{"delta":{"content":"Yes."}}]}

data: {"choices":[{"delta":{"content":null,"role":null,"tool_calls":null,"function_call":null},"finish_reason":""}],"usage":{}}

data: [DONE]

"#,
    ),
    says(
        "a gateway: CRLF, event and id lines, an event in two data lines",
        "Yes.",
        "event: message\r\nid: 1\r\ndata: {\"choices\":[{\"index\":0,\r\ndata: \"delta\":{\"content\":\"Yes.\"},\"finish_reason\":\"stop\"}]}\r\n\r\nevent: done\r\ndata: [DONE]\r\n\r\n",
    ),
    says(
        "a server with a byte-order mark and without an end mark",
        "Yes.",
        "\u{feff}data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Yes.\"},\"finish_reason\":\"stop\"}]}\n\n",
    ),
    Stream {
        thinking: "Hm.",
        ..says(
            "gpt-oss on a server that hands its marks through",
            "Yes.",
            r#"data: {"choices":[{"index":0,"delta":{"content":"<|channel|>analysis<|message|>Hm.<|end|><|start|>assist"}}]}

data: {"choices":[{"index":0,"delta":{"content":"ant<|channel|>final<|message|>Yes.<|return|>"},"finish_reason":"stop"}]}

data: [DONE]

"#,
        )
    },
    Stream {
        thinking: "Hm.",
        ..says(
            "a reasoning model whose template opens the thought itself",
            "Yes.",
            r#"data: {"choices":[{"index":0,"delta":{"content":"Hm."}}]}

data: {"choices":[{"index":0,"delta":{"content":"</think>Yes."},"finish_reason":"stop"}]}

data: [DONE]

"#,
        )
    },
];

async fn replay(bytes: &str, size: usize) -> (Heard, usize) {
    let server = FakeModel::start([Reply::raw_sse(bytes).in_pieces(size)]);
    let heard = ask(settings(&server)).await;
    (heard, server.requests().len())
}

#[tokio::test]
async fn answers_of_all_servers_are_read() {
    for stream in ANSWERS {
        for size in [11, usize::MAX] {
            let (heard, requests) = replay(stream.bytes, size).await;
            let turn = heard.result.as_ref().unwrap_or_else(|e| panic!("{}: {e:?}", stream.server));
            assert_eq!(heard.text(), stream.text, "{}", stream.server);
            assert_eq!(heard.thinking(), stream.thinking, "{}", stream.server);
            assert_eq!((turn.finish, heard.retries().len(), requests), (Finish::Stop, 0, 1), "{}", stream.server);
            assert_eq!(turn.usage.map_or(0, |u| u.input_tokens), stream.input_tokens, "{}", stream.server);
        }
    }
}

/// Streams with calls: of `get_page_content` with pages 1,3, and where there are two, of `browse_documents`.
const CALLS: &[(&str, usize, &str)] = &[
    (
        "OpenAI: two calls in pieces by index",
        2,
        r#"data: {"choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"get_page_content","arguments":""}}]},"finish_reason":null}]}

data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"pages\":"}}]}}]}

data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"1,3\"}"}}]}}]}

data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"call_b","type":"function","function":{"name":"browse_documents","arguments":"{}"}}]}}]}

data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}

data: [DONE]

"#,
    ),
    (
        "Ollama: whole calls, all with index 0",
        2,
        r#"data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[{"id":"call_a","index":0,"type":"function","function":{"name":"get_page_content","arguments":"{\"pages\":\"1,3\"}"}}]},"finish_reason":null}]}

data: {"id":"chatcmpl-1","choices":[{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[{"id":"call_b","index":0,"type":"function","function":{"name":"browse_documents","arguments":"{}"}}]},"finish_reason":null}]}

data: {"id":"chatcmpl-1","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"tool_calls"}]}

data: [DONE]

"#,
    ),
    (
        "Gemini: one chunk, index 0 twice, empty ids, finish reason stop",
        2,
        r#"data: {"choices":[{"delta":{"role":"assistant","tool_calls":[{"extra_content":{"google":{"thought_signature":"c2ln"}},"function":{"arguments":"{\"pages\":\"1,3\"}","name":"get_page_content"},"id":"","index":0,"type":"function"},{"function":{"arguments":"{}","name":"browse_documents"},"id":"","index":0,"type":"function"}]},"finish_reason":"stop","index":0}],"created":1,"id":"c","model":"m","object":"chat.completion.chunk"}

data: [DONE]

"#,
    ),
    (
        "Mistral: a whole call with the finish reason in one chunk, no index",
        1,
        r#"data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"","tool_calls":[{"id":"D681PevKs","function":{"name":"get_page_content","arguments":"{\"pages\": \"1,3\"}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":9,"completion_tokens":3}}

data: [DONE]

"#,
    ),
    (
        "text-generation-inference: the call is no list, its arguments are an object",
        1,
        r#"data: {"choices":[{"index":0,"delta":{"role":"assistant","tool_calls":{"index":0,"id":"","type":"function","function":{"name":"get_page_content","arguments":{"pages":"1,3"}}}},"finish_reason":"stop"}]}

data: [DONE]

"#,
    ),
    (
        "vLLM: name and id with every piece",
        1,
        r#"data: {"choices":[{"index":0,"delta":{"tool_calls":[{"id":"chatcmpl-tool-1","type":"function","index":0,"function":{"name":"get_page_content","arguments":"{\"pages\""}}]}}]}

data: {"choices":[{"index":0,"delta":{"tool_calls":[{"id":"chatcmpl-tool-1","type":"function","index":0,"function":{"name":"get_page_content","arguments":": \"1,3\"}"}}]},"finish_reason":"tool_calls"}]}

data: [DONE]

"#,
    ),
    (
        "a small server: the name in pieces",
        1,
        r#"data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"get_page"}}]}}]}

data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"_content"}}]}}]}

data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"","arguments":"{\"pages\": \"1,3\"}"}}]},"finish_reason":"tool_calls"}]}

data: [DONE]

"#,
    ),
    (
        "an old server: function_call in pieces",
        1,
        r#"data: {"choices":[{"index":0,"delta":{"role":"assistant","content":null,"function_call":{"name":"get_page_content","arguments":""}},"finish_reason":null}]}

data: {"choices":[{"index":0,"delta":{"function_call":{"arguments":"{\"pages\":"}},"finish_reason":null}]}

data: {"choices":[{"index":0,"delta":{"function_call":{"arguments":"\"1,3\"}"}},"finish_reason":null}]}

data: {"choices":[{"index":0,"delta":{},"finish_reason":"function_call"}]}

data: [DONE]

"#,
    ),
    (
        "LM Studio: numbers as ids, the same twice",
        2,
        r#"data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":7,"type":"function","function":{"name":"get_page_content","arguments":"{\"pages\": \"1,3\"}"}},{"index":1,"id":7,"type":"function","function":{"name":"browse_documents","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}

data: [DONE]

"#,
    ),
    (
        "Mistral's marks in the text",
        2,
        r#"data: {"choices":[{"index":0,"delta":{"content":"[TOOL_CALLS][{\"name\": \"get_page_content\", \"arguments\": {\"pages\": \"1,3\"}}, "}}]}

data: {"choices":[{"index":0,"delta":{"content":"{\"name\": \"browse_documents\", \"arguments\": {}}]"},"finish_reason":"stop"}]}

data: [DONE]

"#,
    ),
    (
        "Llama's mark in the text",
        1,
        r#"data: {"choices":[{"index":0,"delta":{"content":"<|python_tag|>{\"name\": \"get_page_content\", \"parameters\": {\"pages\": \"1,3\"}}"},"finish_reason":"stop"}]}

data: [DONE]

"#,
    ),
    (
        "llama.cpp with a template that opens the call itself",
        1,
        r#"data: {"choices":[{"finish_reason":null,"index":0,"delta":{"role":"assistant","content":null}}]}

data: {"choices":[{"finish_reason":null,"index":0,"delta":{"content":"{\"name\": \"get_page_content\", \"arguments\": {\"pages\": \"1,3\"}}\n</tool_call>"}}]}

data: {"choices":[{"finish_reason":"stop","index":0,"delta":{}}]}

data: [DONE]

"#,
    ),
    (
        "gpt-oss with its marks in the text",
        1,
        r#"data: {"choices":[{"index":0,"delta":{"content":"<|channel|>commentary to=functions.get_page_content <|constrain|>json<|message|>{\"pages\": \"1,3\"}<|call|>"},"finish_reason":"stop"}]}

data: [DONE]

"#,
    ),
    (
        "a stream that ends after a whole call, without finish and end mark",
        1,
        r#"data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"get_page_content","arguments":"{\"pages\": \"1,3\"}"}}]}}]}

"#,
    ),
];

#[tokio::test]
async fn calls_of_all_servers_are_read() {
    let (pages, nothing) = (json!({"pages": "1,3"}), json!({}));
    for (server, count, bytes) in CALLS {
        for size in [13, usize::MAX] {
            let (heard, requests) = replay(bytes, size).await;
            assert!(heard.result.is_ok(), "{server}: {:?}", heard.result);
            let wanted = [("get_page_content", &pages), ("browse_documents", &nothing)];
            assert_eq!(heard.calls(), wanted[..*count], "{server}");
            assert_eq!((heard.turn().finish, heard.text().as_str(), requests), (Finish::ToolCalls, "", 1), "{server}");
            let ids = heard.turn().items.iter().filter_map(|item| match item {
                HistoryItem::ToolCall { id, .. } => Some(id.clone()),
                _ => None,
            });
            let ids: BTreeSet<String> = ids.filter(|id| !id.is_empty()).collect();
            assert_eq!(ids.len(), *count, "{server}");
        }
    }
}

#[tokio::test]
async fn a_very_long_id_goes_back_as_it_came() {
    let id = "call_".to_owned() + &"x".repeat(3_000);
    let call = json!({"choices": [{"delta": {"tool_calls": [{"index": 0, "id": id, "function": {"name": "browse_documents", "arguments": "{}"}}]}}]});
    let heard = ask(settings(&FakeModel::start([Reply::chunks([call])]))).await;
    assert!(matches!(&heard.turn().items[0], HistoryItem::ToolCall { id: kept, .. } if *kept == id));
}

/// The failures that servers report in the middle of a stream. Each is asked for again.
#[tokio::test]
async fn errors_in_mid_stream_have_many_forms() {
    let start = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Reve\"}}]}\n\n";
    for (server, event) in [
        (
            "OpenRouter",
            r#"data: {"id":"gen-1","provider":"P","error":{"code":502,"message":"Provider went away"},"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"error"}]}"#,
        ),
        ("vLLM", r#"data: {"object":"error","message":"Provider went away","type":"InternalServerError","param":null,"code":500}"#),
        ("vLLM, newer", r#"data: {"error":{"message":"Provider went away","type":"InternalServerError","param":null,"code":500}}"#),
        (
            "Groq",
            "event: error\ndata: {\"error\":{\"message\":\"Provider went away\",\"type\":\"internal_server_error\",\"status_code\":500}}",
        ),
        (
            "Anthropic",
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Provider went away\"}}",
        ),
        ("text-generation-inference", r#"data: {"error":"Provider went away","error_type":"overloaded"}"#),
        ("Ollama", r#"data: {"error":"Provider went away"}"#),
        ("Gemini", r#"data: [{"error":{"code":503,"message":"Provider went away","status":"UNAVAILABLE"}}]"#),
        ("llama.cpp", r#"data: {"error":{"code":500,"message":"Provider went away","type":"server_error"}}"#),
        ("LiteLLM", r#"data: {"error":{"message":"Provider went away","type":"None","param":"None","code":"500"}}"#),
    ] {
        let server_ = FakeModel::start([Reply::raw_sse(format!("{start}{event}\n\ndata: [DONE]\n\n")), Reply::text("Revenue.")]);
        let heard = ask(settings(&server_)).await;
        assert_eq!((heard.text().as_str(), heard.retries().len()), ("Revenue.", 1), "{server}");
        assert!(heard.retries()[0].contains("Provider went away"), "{server}: {:?}", heard.retries());
        assert!(heard.deltas.contains(&ModelDelta::Discarded), "{server}");
    }
    // Older servers of llama.cpp use a field of their own, so that the stream seems cut.
    let odd = format!("{start}error: {{\"code\":500,\"message\":\"went away\"}}\n\n");
    let server = FakeModel::answering(move |_| Reply::raw_sse(odd.clone()));
    assert_eq!(ask(settings(&server)).await.error().kind, Kind::CutOff);
}

/// Words of a server that is still loading its model, which is waited for.
#[tokio::test]
async fn loading_has_many_words() {
    for (server, status, body) in [
        ("llama.cpp", 503, json!({"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}})),
        ("LM Studio", 503, json!({"error": {"message": "Model is loading, please try again shortly.", "type": "model_loading"}})),
        ("Ollama", 500, json!({"error": {"message": "llm server loading model", "type": "api_error"}})),
        ("Hugging Face", 503, json!({"error": "Model m is currently loading", "estimated_time": 0.001})),
        ("vLLM behind a gateway", 502, json!({"message": "the model is being loaded"})),
    ] {
        let loading = Reply::error(status, body).header("retry-after-ms", "1");
        let script: Vec<Reply> = std::iter::repeat_n(loading, 6).chain([Reply::text("Yes.")]).collect();
        let fake = FakeModel::start(script);
        let heard = ask(settings(&fake)).await;
        assert_eq!((heard.text().as_str(), heard.retries().len()), ("Yes.", 6), "{server}");
        assert!(heard.retries()[0].contains("still loading the model"), "{server}: {:?}", heard.retries());
    }
}

/// Servers that cannot leave out calls call a tool though they were told not to.
#[tokio::test]
async fn a_server_that_ignores_tool_choice_is_understood() {
    let server = FakeModel::start([Reply::tool_call("browse_documents", json!({}))]);
    let model = pagewise::model::openai::OpenAiModel::new(settings(&server)).unwrap();
    let history = [HistoryItem::User { text: "Q".into() }];
    let heard = support::ask::turn(&model, &history, pagewise::model::ToolChoice::None).await;
    assert_eq!(heard.calls(), [("browse_documents", &Value::Object(Default::default()))]);
    assert_eq!(server.requests()[0].body["tool_choice"], "none");
}
