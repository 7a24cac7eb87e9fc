//! Streams of the Responses API and of further servers, byte for byte (ids and times made up), with what a person and the loop get.
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
async fn text_of_further_servers() {
    for (server, body, wanted) in [(
        "text-generation-inference: no space after data:, another word for the end, no end mark",
        concat!(
            r#"data:{"object":"chat.completion.chunk","id":"","created":1,"model":"t","system_fingerprint":"3.0","choices":[{"index":0,"delta":{"role":"assistant","content":"Yes"},"logprobs":null,"finish_reason":null}]}"#,
            "\n\n",
            r#"data:{"object":"chat.completion.chunk","id":"","created":1,"model":"t","system_fingerprint":"3.0","choices":[{"index":0,"delta":{"role":"assistant","content":"."},"logprobs":null,"finish_reason":"eos_token"}]}"#,
            "\n\n",
        ),
        YES,
    )] {
        check(Api::Chat, server, body, &wanted).await;
    }
}

#[tokio::test]
async fn calls_of_further_servers() {
    for (server, body, wanted) in [
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
            "A server whose items come without their arguments, or not at all",
            concat!(
                r#"data: {"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"get_page_content","arguments":""}}"#,
                "\n\n",
                r#"data: {"type":"response.function_call_arguments.delta","output_index":0,"item_id":"fc_1","delta":"{\"pages\":"}"#,
                "\n\n",
                r#"data: {"type":"response.function_call_arguments.delta","output_index":0,"item_id":"fc_1","delta":"\"4\"}"}"#,
                "\n\n",
                r#"data: {"type":"response.completed","response":{"status":"completed","output":[]}}"#,
                "\n\n",
            ),
            CALL,
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
async fn reasons_for_the_end_that_are_failures() {
    let start =
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"Reve\"},\"finish_reason\":null}]}\n\n";
    for (server, event) in [
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
    ] {
        let server_reply = Reply::raw_sse(format!("{start}{event}\n\n"));
        let fake = FakeModel::start([server_reply, Reply::text("Revenue.")]);
        let heard = ask(settings(&fake)).await;
        assert_eq!((heard.text().as_str(), heard.retries().len()), ("Revenue.", 1), "{server}: {:?}", heard.deltas);
    }
}

/// Groq hands back what its reader could not read, with status 400 and in mid-stream.
#[tokio::test]
async fn a_call_that_the_server_could_not_read_is_read_or_asked_for_again() {
    let failed = |generation: &str| {
        json!({"error": {"message": "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
            "type": "invalid_request_error", "code": "tool_use_failed", "failed_generation": generation}})
    };
    for generation in [
        "<function=get_page_content{\"pages\": \"4\"}</function>",
        "<function=get_page_content({\"pages\": \"4\"})></function>",
        "I look.\n<function=get_page_content>{\"pages\": \"4\"}</function>",
        "<tool_call>\n{\"name\": \"get_page_content\", \"arguments\": {\"pages\": \"4\"}}\n</tool_call>",
    ] {
        for reply in [Reply::error(400, failed(generation)), Reply::raw_sse(format!("data: {}\n\n", failed(generation)))] {
            let server = FakeModel::start([reply]);
            let heard = ask(settings(&server)).await;
            assert_eq!(heard.calls(), [("get_page_content", &json!({"pages": "4"}))], "{generation}");
            assert_eq!((heard.turn().finish, server.requests().len()), (Finish::ToolCalls, 1));
        }
    }
    let server = FakeModel::start([Reply::error(400, failed("<function=get_page_content{\"pages\": ")), Reply::text("Yes.")]);
    let heard = ask(settings(&server)).await;
    assert_eq!((heard.text().as_str(), heard.retries().len()), ("Yes.", 1));
}

/// What is not asked for need not be understood.
#[tokio::test]
async fn no_compression_is_asked_for() {
    let server = FakeModel::start([Reply::text("Yes.")]);
    ask(settings(&server)).await.turn();
    assert_eq!(server.requests()[0].header("accept-encoding"), None);
}
