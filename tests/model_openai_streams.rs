//! Streams byte for byte as servers send them (ids and times made up), each named for its server, with what a person and the loop get.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop where it fails")]

mod support;

use pagewise::model::openai::{Api, OpenAiSettings};
use pagewise::model::{Finish, HistoryItem};
use serde_json::{Value, json};
use support::ask::{ask, settings};
use support::fake_model::FakeModel;
use support::reply::Reply;

/// What a stream must give.
struct Wanted {
    text: &'static str,
    thinking: &'static str,
    /// Page lists of the calls of `get_page_content`.
    pages: &'static [&'static str],
    input_tokens: Option<u64>,
}

const YES: Wanted = Wanted { text: "Yes.", thinking: "", pages: &[], input_tokens: None };
const CALL: Wanted = Wanted { text: "", thinking: "", pages: &["4"], input_tokens: None };

/// The stream comes whole and in small pieces.
async fn check(api: Api, server_name: &str, body: &str, wanted: &Wanted) {
    for size in [11, usize::MAX] {
        let server = FakeModel::start([Reply::raw_sse(body).in_pieces(size)]);
        let heard = ask(OpenAiSettings { api, ..settings(&server) }).await;
        let turn = heard.turn();
        let pages: Vec<Value> = heard.calls().iter().map(|(name, arguments)| json!([name, arguments["pages"]])).collect();
        let wanted_pages: Vec<Value> = wanted.pages.iter().map(|pages| json!(["get_page_content", pages])).collect();
        assert_eq!(
            (heard.text().trim(), heard.thinking().as_str(), pages, turn.usage.map(|u| u.input_tokens)),
            (wanted.text, wanted.thinking, wanted_pages, wanted.input_tokens),
            "{server_name}: {:?}",
            heard.deltas
        );
        let finish = if wanted.pages.is_empty() { Finish::Stop } else { Finish::ToolCalls };
        assert_eq!((turn.finish, heard.retries().len(), server.requests().len()), (finish, 0, 1), "{server_name}");
        let ids: Vec<&str> = turn
            .items
            .iter()
            .filter_map(|i| if let HistoryItem::ToolCall { id, .. } = i { Some(id.as_str()) } else { None })
            .collect();
        assert!(ids.iter().enumerate().all(|(n, id)| !id.is_empty() && !ids[..n].contains(id)), "{server_name}: {ids:?}");
    }
}

#[tokio::test]
async fn text_of_each_server() {
    for (server, body, wanted) in [
        (
            "OpenAI: usage null in every chunk but the last, which has no choices; padding against eavesdroppers",
            concat!(
                r#"data: {"id":"chatcmpl-B1","object":"chat.completion.chunk","created":1741570283,"model":"gpt-4.1-2025-04-14","service_tier":"default","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"aB"}"#,
                "\n\n",
                r#"data: {"id":"chatcmpl-B1","object":"chat.completion.chunk","created":1741570283,"model":"gpt-4.1-2025-04-14","service_tier":"default","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"content":"Yes."},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"x"}"#,
                "\n\n",
                r#"data: {"id":"chatcmpl-B1","object":"chat.completion.chunk","created":1741570283,"model":"gpt-4.1-2025-04-14","service_tier":"default","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}],"usage":null,"obfuscation":"9"}"#,
                "\n\n",
                r#"data: {"id":"chatcmpl-B1","object":"chat.completion.chunk","created":1741570283,"model":"gpt-4.1-2025-04-14","service_tier":"default","system_fingerprint":"fp_1","choices":[],"usage":{"prompt_tokens":19,"completion_tokens":2,"total_tokens":21,"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}},"obfuscation":""}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            Wanted { input_tokens: Some(19), ..YES },
        ),
        (
            "Azure: a first chunk about the prompt alone, results of filters in each",
            concat!(
                r#"data: {"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0,"content_filter_results":{"hate":{"filtered":false,"severity":"safe"}}}]}"#,
                "\n\n",
                r#"data: {"choices":[{"content_filter_results":{},"delta":{"content":"","refusal":null,"role":"assistant"},"finish_reason":null,"index":0,"logprobs":null}],"created":1,"id":"chatcmpl-1","model":"gpt-4o","object":"chat.completion.chunk","system_fingerprint":"fp"}"#,
                "\n\n",
                r#"data: {"choices":[{"content_filter_results":{"hate":{"filtered":false,"severity":"safe"}},"delta":{"content":"Yes."},"finish_reason":null,"index":0,"logprobs":null}],"created":1,"id":"chatcmpl-1","model":"gpt-4o","object":"chat.completion.chunk","system_fingerprint":"fp"}"#,
                "\n\n",
                r#"data: {"choices":[{"content_filter_offsets":{"check_offset":10,"start_offset":10,"end_offset":14},"content_filter_results":{},"finish_reason":null,"index":0}],"created":0,"id":"","model":"","object":""}"#,
                "\n\n",
                r#"data: {"choices":[{"content_filter_results":{},"delta":{},"finish_reason":"stop","index":0,"logprobs":null}],"created":1,"id":"chatcmpl-1","model":"gpt-4o","object":"chat.completion.chunk","system_fingerprint":"fp"}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            YES,
        ),
        (
            "Ollama: the role in every chunk",
            concat!(
                r#"data: {"id":"chatcmpl-590","object":"chat.completion.chunk","created":1733500000,"model":"llama3.2","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":"Yes"},"finish_reason":null}]}"#,
                "\n\n",
                r#"data: {"id":"chatcmpl-590","object":"chat.completion.chunk","created":1733500000,"model":"llama3.2","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":"."},"finish_reason":null}]}"#,
                "\n\n",
                r#"data: {"id":"chatcmpl-590","object":"chat.completion.chunk","created":1733500000,"model":"llama3.2","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"stop"}]}"#,
                "\n\n",
                r#"data: {"id":"chatcmpl-590","object":"chat.completion.chunk","created":1733500000,"model":"llama3.2","system_fingerprint":"fp_ollama","choices":[],"usage":{"prompt_tokens":26,"completion_tokens":3,"total_tokens":29}}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            Wanted { input_tokens: Some(26), ..YES },
        ),
        (
            "llama.cpp: content null first, timings with the counts",
            concat!(
                r#"data: {"choices":[{"finish_reason":null,"index":0,"delta":{"role":"assistant","content":null}}],"created":1796087859,"id":"chatcmpl-x","model":"m","system_fingerprint":"b1-a","object":"chat.completion.chunk"}"#,
                "\n\n",
                r#"data: {"choices":[{"finish_reason":null,"index":0,"delta":{"content":"Yes."}}],"created":1796087859,"id":"chatcmpl-x","model":"m","system_fingerprint":"b1-a","object":"chat.completion.chunk"}"#,
                "\n\n",
                r#"data: {"choices":[{"finish_reason":"stop","index":0,"delta":{}}],"created":1796087859,"id":"chatcmpl-x","model":"m","system_fingerprint":"b1-a","object":"chat.completion.chunk"}"#,
                "\n\n",
                r#"data: {"choices":[],"created":1796087859,"id":"chatcmpl-x","model":"m","system_fingerprint":"b1-a","object":"chat.completion.chunk","usage":{"completion_tokens":4,"prompt_tokens":18,"total_tokens":22,"prompt_tokens_details":{"cached_tokens":0}},"timings":{"cache_n":0,"prompt_n":18,"prompt_ms":48.217}}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            Wanted { input_tokens: Some(18), ..YES },
        ),
        (
            "DeepSeek: reasoning first, each of the two null while the other comes; keep-alive comments; counts in the last chunk",
            concat!(
                ": keep-alive\n\n: keep-alive\n\n",
                r#"data: {"id":"d1","object":"chat.completion.chunk","created":1,"model":"deepseek-reasoner","system_fingerprint":"fp","choices":[{"index":0,"delta":{"role":"assistant","content":null,"reasoning_content":""},"logprobs":null,"finish_reason":null}]}"#,
                "\n\n",
                r#"data: {"id":"d1","object":"chat.completion.chunk","created":1,"model":"deepseek-reasoner","system_fingerprint":"fp","choices":[{"index":0,"delta":{"content":null,"reasoning_content":"Hm."},"logprobs":null,"finish_reason":null}]}"#,
                "\n\n",
                r#"data: {"id":"d1","object":"chat.completion.chunk","created":1,"model":"deepseek-reasoner","system_fingerprint":"fp","choices":[{"index":0,"delta":{"content":"Yes.","reasoning_content":null},"logprobs":null,"finish_reason":null}]}"#,
                "\n\n",
                r#"data: {"id":"d1","object":"chat.completion.chunk","created":1,"model":"deepseek-reasoner","system_fingerprint":"fp","choices":[{"index":0,"delta":{"content":"","reasoning_content":null},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":12,"completion_tokens":30,"total_tokens":42,"prompt_cache_hit_tokens":0,"prompt_cache_miss_tokens":12}}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            Wanted { thinking: "Hm.", input_tokens: Some(12), ..YES },
        ),
        (
            "OpenRouter: comments before the first chunk, reasoning under two names, native_finish_reason, the cost",
            concat!(
                ": OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n",
                r#"data: {"id":"gen-1","provider":"X","model":"x/y","object":"chat.completion.chunk","created":1,"choices":[{"index":0,"delta":{"role":"assistant","content":"","reasoning":"Hm.","reasoning_details":[{"type":"reasoning.text","text":"Hm.","format":"unknown","index":0}]},"finish_reason":null,"native_finish_reason":null,"logprobs":null}]}"#,
                "\n\n",
                r#"data: {"id":"gen-1","provider":"X","model":"x/y","object":"chat.completion.chunk","created":1,"choices":[{"index":0,"delta":{"role":"assistant","content":"Yes."},"finish_reason":"stop","native_finish_reason":"end_turn","logprobs":null}]}"#,
                "\n\n",
                r#"data: {"id":"gen-1","provider":"X","model":"x/y","object":"chat.completion.chunk","created":1,"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null,"native_finish_reason":null,"logprobs":null}],"usage":{"prompt_tokens":10,"completion_tokens":4,"total_tokens":14,"cost":0.00001}}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            Wanted { thinking: "Hm.", input_tokens: Some(10), ..YES },
        ),
        (
            "vLLM: stop_reason and token_ids, counts in every chunk",
            concat!(
                r#"data: {"id":"chatcmpl-v","object":"chat.completion.chunk","created":1,"model":"q","choices":[{"index":0,"delta":{"role":"assistant","content":"","reasoning_content":null},"logprobs":null,"finish_reason":null}],"prompt_token_ids":null,"usage":{"prompt_tokens":8,"total_tokens":8,"completion_tokens":0}}"#,
                "\n\n",
                r#"data: {"id":"chatcmpl-v","object":"chat.completion.chunk","created":1,"model":"q","choices":[{"index":0,"delta":{"reasoning":"Hm."},"logprobs":null,"finish_reason":null,"token_ids":null}],"usage":{"prompt_tokens":8,"total_tokens":9,"completion_tokens":1}}"#,
                "\n\n",
                r#"data: {"id":"chatcmpl-v","object":"chat.completion.chunk","created":1,"model":"q","choices":[{"index":0,"delta":{"content":"Yes."},"logprobs":null,"finish_reason":"stop","stop_reason":null,"token_ids":null}],"usage":{"prompt_tokens":8,"total_tokens":10,"completion_tokens":2}}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            Wanted { thinking: "Hm.", input_tokens: Some(8), ..YES },
        ),
        (
            "Mistral: reasoning and text as lists of parts, padding, counts with the end",
            concat!(
                r#"data: {"id":"m1","object":"chat.completion.chunk","created":1,"model":"magistral","choices":[{"index":0,"delta":{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}]}]},"finish_reason":null}],"p":"abcd"}"#,
                "\n\n",
                r#"data: {"id":"m1","object":"chat.completion.chunk","created":1,"model":"magistral","choices":[{"index":0,"delta":{"content":[{"type":"text","text":"Yes"}]},"finish_reason":null}],"p":"ab"}"#,
                "\n\n",
                r#"data: {"id":"m1","object":"chat.completion.chunk","created":1,"model":"magistral","choices":[{"index":0,"delta":{"content":"."},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"total_tokens":11,"completion_tokens":4},"p":"a"}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            Wanted { thinking: "Hm.", input_tokens: Some(7), ..YES },
        ),
        (
            "Groq: counts under x_groq in the last chunk",
            concat!(
                r#"data: {"id":"chatcmpl-g","object":"chat.completion.chunk","created":1,"model":"l","system_fingerprint":"fp","choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}],"x_groq":{"id":"req_1"}}"#,
                "\n\n",
                r#"data: {"id":"chatcmpl-g","object":"chat.completion.chunk","created":1,"model":"l","system_fingerprint":"fp","choices":[{"index":0,"delta":{"content":"Yes."},"logprobs":null,"finish_reason":null}]}"#,
                "\n\n",
                r#"data: {"id":"chatcmpl-g","object":"chat.completion.chunk","created":1,"model":"l","system_fingerprint":"fp","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}],"x_groq":{"id":"req_1","usage":{"queue_time":0.04,"prompt_tokens":13,"completion_tokens":2,"total_tokens":15}}}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            Wanted { input_tokens: Some(13), ..YES },
        ),
        (
            "text-generation-inference: no space after data:, another word for the end, no end mark",
            concat!(
                r#"data:{"object":"chat.completion.chunk","id":"","created":1,"model":"t","system_fingerprint":"3.0","choices":[{"index":0,"delta":{"role":"assistant","content":"Yes"},"logprobs":null,"finish_reason":null}]}"#,
                "\n\n",
                r#"data:{"object":"chat.completion.chunk","id":"","created":1,"model":"t","system_fingerprint":"3.0","choices":[{"index":0,"delta":{"role":"assistant","content":"."},"logprobs":null,"finish_reason":"eos_token"}]}"#,
                "\n\n",
            ),
            YES,
        ),
        (
            "Perplexity: the whole message so far beside each piece",
            concat!(
                r#"data: {"id":"p","model":"sonar","created":1,"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4},"object":"chat.completion","choices":[{"index":0,"finish_reason":null,"message":{"role":"assistant","content":"Yes"},"delta":{"role":"assistant","content":"Yes"}}]}"#,
                "\r\n\r\n",
                r#"data: {"id":"p","model":"sonar","created":1,"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5},"object":"chat.completion","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"Yes."},"delta":{"role":"assistant","content":"."}}]}"#,
                "\r\n\r\n",
            ),
            Wanted { input_tokens: Some(3), ..YES },
        ),
        (
            "A gateway: two chunks with the end, and text after the first of them; logprobs; an empty reason",
            concat!(
                r#"data: {"id":1,"created":1741570283.25,"choices":[{"index":0,"delta":{"content":"Ye"},"logprobs":{"content":[{"token":"Ye","logprob":-0.1,"bytes":[89,101],"top_logprobs":[]}]},"finish_reason":""}]}"#,
                "\n\n",
                r#"data: {"choices":[{"index":0,"delta":{"content":"s"},"finish_reason":"stop"}]}"#,
                "\n\n",
                r#"data: {"choices":[{"index":0,"delta":{"content":"."},"finish_reason":null}]}"#,
                "\n\n",
                r#"data: {"choices":[{"index":0,"delta":null,"finish_reason":"stop"}],"usage":null}"#,
                "\n\n",
                r#"data: {"usage":{"prompt_tokens":5,"completion_tokens":2}}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            Wanted { input_tokens: Some(5), ..YES },
        ),
        (
            "gpt-oss behind a server that does not read its channels",
            concat!(
                r#"data: {"choices":[{"index":0,"delta":{"content":"<|channel|>analysis<|mess"}}]}"#,
                "\n\n",
                r#"data: {"choices":[{"index":0,"delta":{"content":"age|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes."}}]}"#,
                "\n\n",
                r#"data: {"choices":[{"index":0,"delta":{"content":"<|return|>"},"finish_reason":"stop"}]}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            Wanted { thinking: "Hm.", ..YES },
        ),
    ] {
        check(Api::Chat, server, body, &wanted).await;
    }
}

#[tokio::test]
async fn calls_of_each_server() {
    for (server, body, wanted) in [
        (
            "OpenAI: head and pieces, two calls by index",
            concat!(
                r#"data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"gpt","choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"get_page_content","arguments":""}}],"refusal":null},"logprobs":null,"finish_reason":null}]}"#,
                "\n\n",
                r#"data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"gpt","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"pages\":"}}]},"logprobs":null,"finish_reason":null}]}"#,
                "\n\n",
                r#"data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"gpt","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"4\"}"}}]},"logprobs":null,"finish_reason":null}]}"#,
                "\n\n",
                r#"data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"gpt","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"call_b","type":"function","function":{"name":"get_page_content","arguments":""}}]},"logprobs":null,"finish_reason":null}]}"#,
                "\n\n",
                r#"data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"gpt","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"{\"pages\":\"5\"}"}}]},"logprobs":null,"finish_reason":null}]}"#,
                "\n\n",
                r#"data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"gpt","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"tool_calls"}]}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            Wanted { pages: &["4", "5"], ..CALL },
        ),
        (
            "Ollama, older: each call whole, all with index 0, the end called stop",
            concat!(
                r#"data: {"id":"chatcmpl-9","object":"chat.completion.chunk","created":1,"model":"qwen3","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[{"id":"call_j1","index":0,"type":"function","function":{"name":"get_page_content","arguments":"{\"pages\":\"4\"}"}}]},"finish_reason":null}]}"#,
                "\n\n",
                r#"data: {"id":"chatcmpl-9","object":"chat.completion.chunk","created":1,"model":"qwen3","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[{"id":"call_j2","index":0,"type":"function","function":{"name":"get_page_content","arguments":"{\"pages\":\"5\"}"}}]},"finish_reason":null}]}"#,
                "\n\n",
                r#"data: {"id":"chatcmpl-9","object":"chat.completion.chunk","created":1,"model":"qwen3","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"stop"}]}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            Wanted { pages: &["4", "5"], ..CALL },
        ),
        (
            "Gemini, older: ids empty, no index, both calls in one chunk with the end",
            concat!(
                r#"data: {"choices":[{"delta":{"role":"assistant","tool_calls":[{"function":{"arguments":"{\"pages\":\"4\"}","name":"get_page_content"},"id":"","type":"function"},{"function":{"arguments":"{\"pages\":\"5\"}","name":"get_page_content"},"id":"","type":"function"}]},"finish_reason":"stop","index":0}],"created":1,"model":"gemini-2.0-flash","object":"chat.completion.chunk"}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            Wanted { pages: &["4", "5"], ..CALL },
        ),
        (
            "Gemini, newer: a signature with the call, a remark of reasoning only",
            concat!(
                r#"data: {"choices":[{"delta":{"role":"assistant","tool_calls":[{"extra_content":{"google":{"thought_signature":"Q2c="}},"function":{"arguments":"{\"pages\":\"4\"}","name":"get_page_content"},"id":"function-call-123","type":"function"}]},"index":0}],"created":1,"id":"g","model":"gemini-3","object":"chat.completion.chunk","usage":{"completion_tokens":18,"prompt_tokens":61,"total_tokens":157}}"#,
                "\n\n",
                r#"data: {"choices":[{"delta":{"role":"assistant"},"finish_reason":"stop","index":0}],"created":1,"id":"g","model":"gemini-3","object":"chat.completion.chunk","usage":{"completion_tokens":18,"prompt_tokens":61,"total_tokens":157}}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            Wanted { input_tokens: Some(61), ..CALL },
        ),
        (
            "vLLM: long id, name and arguments apart, a last empty piece with the end",
            concat!(
                r#"data: {"id":"chatcmpl-v","object":"chat.completion.chunk","created":1,"model":"q","choices":[{"index":0,"delta":{"tool_calls":[{"id":"chatcmpl-tool-0a1b2c3d4e5f60718293a4b5c6d7e8f9","type":"function","index":0,"function":{"name":"get_page_content"}}]},"logprobs":null,"finish_reason":null}]}"#,
                "\n\n",
                r#"data: {"id":"chatcmpl-v","object":"chat.completion.chunk","created":1,"model":"q","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"pages\": \""}}]},"logprobs":null,"finish_reason":null}]}"#,
                "\n\n",
                r#"data: {"id":"chatcmpl-v","object":"chat.completion.chunk","created":1,"model":"q","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"4\"}"}}]},"logprobs":null,"finish_reason":null}]}"#,
                "\n\n",
                r#"data: {"id":"chatcmpl-v","object":"chat.completion.chunk","created":1,"model":"q","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":""}}]},"logprobs":null,"finish_reason":"tool_calls","stop_reason":null}]}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            CALL,
        ),
        (
            "SGLang: id and name null in later pieces",
            concat!(
                r#"data: {"id":"s","object":"chat.completion.chunk","created":1,"model":"q","choices":[{"index":0,"delta":{"role":null,"content":null,"reasoning_content":null,"tool_calls":[{"id":"call_s","index":0,"type":"function","function":{"name":"get_page_content","arguments":""}}]},"logprobs":null,"finish_reason":null,"matched_stop":null}],"usage":null}"#,
                "\n\n",
                r#"data: {"id":"s","object":"chat.completion.chunk","created":1,"model":"q","choices":[{"index":0,"delta":{"role":null,"content":null,"reasoning_content":null,"tool_calls":[{"id":null,"index":0,"type":"function","function":{"name":null,"arguments":"{\"pages\": \"4\"}"}}]},"logprobs":null,"finish_reason":null,"matched_stop":null}],"usage":null}"#,
                "\n\n",
                r#"data: {"id":"s","object":"chat.completion.chunk","created":1,"model":"q","choices":[{"index":0,"delta":{"role":null,"content":null,"reasoning_content":null,"tool_calls":null},"logprobs":null,"finish_reason":"tool_calls","matched_stop":null}],"usage":null}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            CALL,
        ),
        (
            "DashScope: empty id and name in later pieces",
            concat!(
                r#"data: {"choices":[{"delta":{"content":null,"tool_calls":[{"function":{"arguments":"","name":"get_page_content"},"index":0,"id":"call_d","type":"function"}],"role":"assistant"},"finish_reason":null,"index":0,"logprobs":null}],"object":"chat.completion.chunk","usage":null,"created":1,"system_fingerprint":null,"model":"qwen-plus","id":"c"}"#,
                "\n\n",
                r#"data: {"choices":[{"delta":{"content":null,"tool_calls":[{"function":{"arguments":"{\"pages\": ","name":""},"index":0,"id":"","type":"function"}]},"finish_reason":null,"index":0,"logprobs":null}],"object":"chat.completion.chunk","usage":null,"created":1,"system_fingerprint":null,"model":"qwen-plus","id":"c"}"#,
                "\n\n",
                r#"data: {"choices":[{"delta":{"content":null,"tool_calls":[{"function":{"arguments":"\"4\"}","name":""},"index":0,"id":"","type":"function"}]},"finish_reason":"tool_calls","index":0,"logprobs":null}],"object":"chat.completion.chunk","usage":null,"created":1,"system_fingerprint":null,"model":"qwen-plus","id":"c"}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            CALL,
        ),
        (
            "Mistral: the call whole with the end, an id of nine",
            concat!(
                r#"data: {"id":"m","object":"chat.completion.chunk","created":1,"model":"mistral-large","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}"#,
                "\n\n",
                r#"data: {"id":"m","object":"chat.completion.chunk","created":1,"model":"mistral-large","choices":[{"index":0,"delta":{"content":"","tool_calls":[{"id":"VvvODy9mT","function":{"name":"get_page_content","arguments":"{\"pages\": \"4\"}"},"index":0}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":94,"total_tokens":117,"completion_tokens":23}}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            Wanted { input_tokens: Some(94), ..CALL },
        ),
        (
            "Moonshot: the id holds a colon",
            concat!(
                r#"data: {"id":"k","object":"chat.completion.chunk","created":1,"model":"kimi","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}"#,
                "\n\n",
                r#"data: {"id":"k","object":"chat.completion.chunk","created":1,"model":"kimi","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"get_page_content:0","type":"function","function":{"name":"get_page_content","arguments":"{\"pages\": \"4\"}"}}]},"finish_reason":null}]}"#,
                "\n\n",
                r#"data: {"id":"k","object":"chat.completion.chunk","created":1,"model":"kimi","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls","usage":{"prompt_tokens":90,"completion_tokens":20,"total_tokens":110}}]}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            Wanted { input_tokens: Some(90), ..CALL },
        ),
        (
            "A server that repeats id and name with each piece, and one index for all",
            concat!(
                r#"data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"1","type":"function","function":{"name":"get_page_content","arguments":"{\"pages\""}}]}}]}"#,
                "\n\n",
                r#"data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"1","type":"function","function":{"name":"get_page_content","arguments":": \"4\"}"}}]}}]}"#,
                "\n\n",
                r#"data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"2","type":"function","function":{"name":"get_page_content","arguments":"{\"pages\": \"5\"}"}}]}}]}"#,
                "\n\n",
                r#"data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            Wanted { pages: &["4", "5"], ..CALL },
        ),
        (
            "A server with the name in pieces and arguments as an object",
            concat!(
                r#"data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"get_page"}}]}}]}"#,
                "\n\n",
                r#"data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"_content"}}]}}]}"#,
                "\n\n",
                r#"data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":{"pages":"4"}}}]},"finish_reason":"tool_calls"}]}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            CALL,
        ),
        (
            "LocalAI, older: the field of before tools, in pieces",
            concat!(
                r#"data: {"choices":[{"index":0,"delta":{"role":"assistant","content":null,"function_call":{"name":"get_page_content","arguments":""}},"finish_reason":null}]}"#,
                "\n\n",
                r#"data: {"choices":[{"index":0,"delta":{"function_call":{"arguments":"{\"pages\":"}},"finish_reason":null}]}"#,
                "\n\n",
                r#"data: {"choices":[{"index":0,"delta":{"function_call":{"arguments":"\"4\"}"}},"finish_reason":"function_call"}]}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            CALL,
        ),
        (
            "A server that ends after the call, with nothing more",
            concat!(
                r#"data: {"choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"get_page_content","arguments":"{\"pages\":\"4\"}"}}]}}]}"#,
                "\n\n",
            ),
            CALL,
        ),
        (
            "vLLM without a reader of Mistral's calls",
            concat!(
                r#"data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"[TOOL_CALLS]"}}]}"#,
                "\n\n",
                r#"data: {"choices":[{"index":0,"delta":{"content":"get_page_content[ARGS]{\"pages\": \"4\"}"},"finish_reason":"stop","stop_reason":null}]}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            CALL,
        ),
        (
            "llama.cpp with a template that begins the block itself",
            concat!(
                r#"data: {"choices":[{"finish_reason":null,"index":0,"delta":{"role":"assistant","content":null}}]}"#,
                "\n\n",
                r#"data: {"choices":[{"finish_reason":null,"index":0,"delta":{"content":"{\"name\": \"get_page_content\", \"arguments\": {\"pages\": \"4\"}}\n</tool_call>"}}]}"#,
                "\n\n",
                r#"data: {"choices":[{"finish_reason":"stop","index":0,"delta":{}}]}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            CALL,
        ),
        (
            "MiniMax behind a server that does not read its calls",
            concat!(
                r#"data: {"choices":[{"index":0,"delta":{"content":"<minimax:tool_call>\n<invoke name=\"get_page_content\">\n<parameter name=\"pages\">4</parameter>\n</invoke>\n</minimax:tool_call>"},"finish_reason":"stop"}]}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            CALL,
        ),
        (
            "DeepSeek 3.2 behind a server that does not read its calls",
            concat!(
                r#"data: {"choices":[{"index":0,"delta":{"content":"<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"get_page_content\">\n<｜DSML｜parameter name=\"pages\" string=\"true\">4</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>"},"finish_reason":"stop"}]}"#,
                "\n\n",
                "data: [DONE]\n\n"
            ),
            CALL,
        ),
    ] {
        check(Api::Chat, server, body, &wanted).await;
    }
}

#[tokio::test]
async fn responses_of_each_server() {
    for (server, body, wanted) in [
        (
            "llama.cpp: no indices, ids of item and call differ, no end mark",
            concat!(
                "event: response.created\n",
                r#"data: {"type":"response.created","response":{"id":"resp_1","object":"response","status":"in_progress"}}"#,
                "\n\n",
                "event: response.output_item.added\n",
                r#"data: {"type":"response.output_item.added","item":{"id":"fc_1","arguments":"","call_id":"call_1","name":"get_page_content","type":"function_call","status":"in_progress"}}"#,
                "\n\n",
                "event: response.function_call_arguments.delta\n",
                r#"data: {"type":"response.function_call_arguments.delta","delta":"{\"pages\":\"4\"}","item_id":"fc_1"}"#,
                "\n\n",
                "event: response.output_item.done\n",
                r#"data: {"type":"response.output_item.done","item":{"id":"fc_1","type":"function_call","status":"completed","arguments":"{\"pages\":\"4\"}","call_id":"call_1","name":"get_page_content"}}"#,
                "\n\n",
                "event: response.completed\n",
                r#"data: {"type":"response.completed","response":{"id":"resp_1","object":"response","created_at":1796087883,"status":"completed","model":"m","output":[{"id":"fc_1","type":"function_call","status":"completed","arguments":"{\"pages\":\"4\"}","call_id":"call_1","name":"get_page_content"}],"usage":{"input_tokens":424,"output_tokens":45,"total_tokens":469,"input_tokens_details":{"cached_tokens":423}}},"timings":{"cache_n":423}}"#,
                "\n\n",
            ),
            Wanted { input_tokens: Some(424), ..CALL },
        ),
        (
            "OpenAI: a summary of the reasoning, then text",
            concat!(
                "event: response.created\n",
                r#"data: {"type":"response.created","sequence_number":0,"response":{"id":"resp_2","object":"response","created_at":1,"status":"in_progress","background":false,"error":null,"incomplete_details":null,"output":[],"store":false,"usage":null}}"#,
                "\n\n",
                "event: response.output_item.added\n",
                r#"data: {"type":"response.output_item.added","sequence_number":2,"output_index":0,"item":{"id":"rs_1","type":"reasoning","encrypted_content":"gAAA","summary":[]}}"#,
                "\n\n",
                "event: response.reasoning_summary_part.added\n",
                r#"data: {"type":"response.reasoning_summary_part.added","sequence_number":3,"item_id":"rs_1","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":""}}"#,
                "\n\n",
                "event: response.reasoning_summary_text.delta\n",
                r#"data: {"type":"response.reasoning_summary_text.delta","sequence_number":4,"item_id":"rs_1","output_index":0,"summary_index":0,"delta":"Hm.","obfuscation":"x"}"#,
                "\n\n",
                "event: response.output_item.done\n",
                r#"data: {"type":"response.output_item.done","sequence_number":6,"output_index":0,"item":{"id":"rs_1","type":"reasoning","encrypted_content":"gBBB","summary":[{"type":"summary_text","text":"Hm."}]}}"#,
                "\n\n",
                "event: response.output_item.added\n",
                r#"data: {"type":"response.output_item.added","sequence_number":7,"output_index":1,"item":{"id":"msg_1","type":"message","status":"in_progress","content":[],"role":"assistant"}}"#,
                "\n\n",
                "event: response.output_text.delta\n",
                r#"data: {"type":"response.output_text.delta","sequence_number":9,"item_id":"msg_1","output_index":1,"content_index":0,"delta":"Yes.","logprobs":[],"obfuscation":"x"}"#,
                "\n\n",
                "event: response.output_item.done\n",
                r#"data: {"type":"response.output_item.done","sequence_number":12,"output_index":1,"item":{"id":"msg_1","type":"message","status":"completed","content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"Yes."}],"role":"assistant"}}"#,
                "\n\n",
                "event: response.completed\n",
                r#"data: {"type":"response.completed","sequence_number":13,"response":{"id":"resp_2","object":"response","created_at":1,"status":"completed","error":null,"incomplete_details":null,"output":[{"id":"rs_1","type":"reasoning","encrypted_content":"gBBB","summary":[{"type":"summary_text","text":"Hm."}]},{"id":"msg_1","type":"message","status":"completed","content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"Yes."}],"role":"assistant"}],"usage":{"input_tokens":81,"input_tokens_details":{"cached_tokens":0},"output_tokens":40,"output_tokens_details":{"reasoning_tokens":32},"total_tokens":121}}}"#,
                "\n\n",
            ),
            Wanted { thinking: "Hm.", input_tokens: Some(81), ..YES },
        ),
        (
            "A server that sends the text alone, and an end mark",
            concat!(
                r#"data: {"type":"response.output_text.delta","delta":"Ye"}"#,
                "\n\n",
                r#"data: {"type":"response.output_text.delta","delta":"s."}"#,
                "\n\n",
                r#"data: {"type":"response.completed","response":{"status":"completed","output":[]}}"#,
                "\n\n",
                "data: [DONE]\n\n",
            ),
            YES,
        ),
    ] {
        check(Api::Responses, server, body, &wanted).await;
    }
}

#[tokio::test]
async fn failures_in_mid_stream_of_each_server() {
    let start =
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"Reve\"},\"finish_reason\":null}]}\n\n";
    for (server, event) in [
        (
            "OpenRouter",
            r#"data: {"id":"gen-1","object":"chat.completion.chunk","created":1,"model":"x/y","provider":"X","error":{"code":502,"message":"Provider disconnected unexpectedly"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}"#,
        ),
        (
            "OpenAI",
            r#"data: {"error":{"message":"The server had an error while processing your request. Sorry about that!","type":"server_error","param":null,"code":null}}"#,
        ),
        (
            "vLLM",
            r#"data: {"error":{"message":"EngineCore encountered an issue. See stack trace (above) for the root cause.","type":"InternalServerError","param":null,"code":500}}"#,
        ),
        (
            "vLLM, older",
            r#"data: {"object":"error","message":"Internal server error","type":"InternalServerError","param":null,"code":500}"#,
        ),
        ("llama.cpp", r#"error: {"code":500,"message":"Compute error.","type":"server_error"}"#),
        ("llama.cpp, newer", r#"data: {"error":{"code":500,"message":"Compute error.","type":"server_error"}}"#),
        (
            "LM Studio",
            "event: error\ndata: {\"error\":{\"message\":\"The model has crashed without additional information. (Exit code: null)\"}}",
        ),
        (
            "text-generation-inference",
            r#"data: {"error":"Request failed during generation: Server error","error_type":"generation"}"#,
        ),
        (
            "DeepSeek",
            r#"data: {"id":"d","choices":[{"index":0,"delta":{"content":""},"finish_reason":"insufficient_system_resource"}]}"#,
        ),
        ("Zhipu", r#"data: {"id":"z","choices":[{"index":0,"delta":{"content":""},"finish_reason":"network_error"}]}"#),
        (
            "Gemini",
            r#"data: [{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}]"#,
        ),
        (
            "Gemini: a call that its own reader could not read",
            r#"data: {"choices":[{"index":0,"delta":{"role":"assistant"},"finish_reason":"function_call_filter: MALFORMED_FUNCTION_CALL"}]}"#,
        ),
        (
            "LiteLLM",
            r#"data: {"error": {"message": "litellm.InternalServerError: upstream gone", "type": "None", "param": "None", "code": "500"}}"#,
        ),
    ] {
        let server_reply = Reply::raw_sse(format!("{start}{event}\n\n"));
        let fake = FakeModel::start([server_reply, Reply::text("Revenue.")]);
        let heard = ask(settings(&fake)).await;
        assert_eq!((heard.text().as_str(), heard.retries().len()), ("Revenue.", 1), "{server}: {:?}", heard.deltas);
    }
}

/// What is not asked for need not be understood.
#[tokio::test]
async fn no_compression_is_asked_for() {
    let server = FakeModel::start([Reply::text("Yes.")]);
    ask(settings(&server)).await.turn();
    assert_eq!(server.requests()[0].header("accept-encoding"), None);
}
