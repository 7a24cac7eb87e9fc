//! Where values come from, and which server a name means.

use secrecy::ExposeSecret;

use super::*;

fn settings(overrides: &Overrides, env: &[(&str, &str)]) -> Result<Settings> {
    let env: Vec<(String, String)> = env.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    Settings::resolve_with(overrides, move |name| env.iter().find(|(k, _)| k == name).map(|(_, v)| v.clone()))
}

fn file(text: &str) -> (tempfile::TempDir, Overrides) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("config.toml");
    std::fs::write(&path, text).unwrap();
    let overrides = Overrides { config: Some(path), library: Some("l.db".into()), ..Default::default() };
    (dir, overrides)
}

#[test]
fn a_key_alone_chooses_no_model() {
    let (_dir, overrides) = file("");
    let s = settings(&overrides, &[("OPENAI_API_KEY", "sk-1"), ("OPENAI_BASE_URL", "http://x/v1")]).unwrap();
    assert!(s.language_model().is_none());
    assert!(s.server.is_none());
}

#[test]
fn flag_beats_environment_beats_file() {
    let (_dir, mut overrides) = file("model = 'from-file'\nmax_turns = 3\n");
    let s = settings(&overrides, &[]).unwrap();
    assert_eq!(s.model, Some(Setting { value: "from-file".into(), origin: ValueOrigin::File }));
    assert_eq!(s.max_turns, Setting { value: 3, origin: ValueOrigin::File });
    let s = settings(&overrides, &[("PAGEWISE_MODEL", "from-env")]).unwrap();
    assert_eq!(s.model.unwrap().origin, ValueOrigin::Environment("PAGEWISE_MODEL"));
    overrides.model = Some("builtin".into());
    let s = settings(&overrides, &[("PAGEWISE_MODEL", "from-env"), ("OPENAI_API_KEY", "sk-1")]).unwrap();
    assert!(s.language_model().is_none() && s.server.is_none());
}

#[test]
fn unknown_keys_name_a_near_one() {
    let (_dir, overrides) = file("modell = 'x'");
    let error = settings(&overrides, &[]).unwrap_err().to_string();
    assert!(error.contains("`modell`") && error.contains("`model`"), "{error}");
}

#[test]
fn a_named_config_file_must_exist() {
    let overrides = Overrides { config: Some("/nonexistent/pagewise.toml".into()), ..Default::default() };
    assert!(settings(&overrides, &[]).is_err());
}

#[test]
fn the_key_never_shows_in_debug_output() {
    let (_dir, overrides) = file("model = 'm'\napi_key_env = 'MY_KEY'");
    let s = settings(&overrides, &[("MY_KEY", "sk-very-secret")]).unwrap();
    assert!(s.server.as_ref().unwrap().api_key.is_some());
    assert!(!format!("{s:?}").contains("very-secret"));
}

fn server(text: &str, model: &str, env: &[(&str, &str)]) -> Result<ModelServer> {
    let (_dir, mut overrides) = file(text);
    overrides.model = Some(model.into());
    settings(&overrides, env).map(|s| s.server.unwrap())
}

#[test]
fn well_known_providers_need_no_entry() {
    let keys = [("GROQ_API_KEY", "gsk-1"), ("OPENAI_API_KEY", "sk-1")];
    let s = server("", "groq/llama-3.3-70b-versatile", &keys).unwrap();
    assert_eq!((s.base_url.as_str(), s.model.as_str()), ("https://api.groq.com/openai/v1", "llama-3.3-70b-versatile"));
    assert_eq!(s.api_key.unwrap().expose_secret(), "gsk-1");
    let s = server("", "ollama/qwen3:8b", &keys).unwrap();
    assert!(s.api_key.is_none() && s.base_url.contains("localhost:11434"));
    // The rest of the name is the model's, slashes and all.
    assert_eq!(server("", "openrouter/openai/gpt-4o", &[]).unwrap().model, "openai/gpt-4o");
    assert_eq!(server("", "gpt-5-mini", &keys).unwrap().api_key.unwrap().expose_secret(), "sk-1");
}

#[test]
fn a_server_that_was_named_keeps_names_with_slashes() {
    let s = server("base_url = 'https://openrouter.ai/api/v1'", "openai/gpt-4o", &[]).unwrap();
    assert_eq!((s.provider, s.model.as_str()), (None, "openai/gpt-4o"));
    let error = server("", "meta-llama/llama-3", &[]).unwrap_err().to_string();
    assert!(error.contains("no provider \"meta-llama\"") && error.contains("openrouter"), "{error}");
}

#[test]
fn a_provider_of_the_file_sets_everything_of_a_connection() {
    let text = r#"
[providers.work]
base_url = "https://llm.example.com/v1"
api_key_env = "WORK_KEY"
api = "responses"
organization = "org"
headers = { "X-Team" = "finance" }
headers_env = { "X-Token" = "WORK_TOKEN" }
body = { seed = 1, nested = { a = [1, 2] } }
context_tokens = 64000
price = { input = 2.0, output = 8.0 }
model = "big"

[providers.work.models."small"]
context_tokens = 8000
images = true
api = "chat"
body = { seed = 2 }
price = { input = 1.0, cached_input = 0.5, output = 2.0 }
"#;
    let env =
        [("WORK_KEY", "wk-1"), ("WORK_TOKEN", "tok-1"), ("OPENAI_API_KEY", "sk-1"), ("OPENAI_BASE_URL", "http://elsewhere/v1")];
    let big = server(text, "work", &env).unwrap();
    assert_eq!((big.model.as_str(), big.api, big.images, big.context_tokens), ("big", Api::Responses, false, Some(64_000)));
    assert_eq!(big.base_url, "https://llm.example.com/v1");
    let sent = big.openai_settings(Default::default());
    assert_eq!(sent.extra_headers["X-Team"], "finance");
    assert_eq!(sent.extra_headers["X-Token"], "tok-1");
    assert_eq!(serde_json::Value::from(sent.extra_body), serde_json::json!({"seed": 1, "nested": {"a": [1, 2]}}));
    assert!(!format!("{big:?}").contains("tok-1") && !format!("{big:?}").contains("wk-1"));

    let small = server(text, "work/small", &env).unwrap();
    assert_eq!((small.api, small.images, small.context_tokens), (Api::Chat, true, Some(8_000)));
    assert_eq!(small.body["seed"], 2);
    let usage = crate::model::Usage { input_tokens: 3_000_000, cached_tokens: 1_000_000, output_tokens: 500_000, requests: 1 };
    assert!((small.price.unwrap().of(&usage) - 3.5).abs() < 1e-9);
    assert!((big.price.unwrap().of(&usage) - 10.0).abs() < 1e-9);

    let (_dir, mut overrides) = file(text);
    overrides.model = Some("work/small".into());
    assert_eq!(settings(&overrides, &env).unwrap().limits().context_tokens, 8_000);
    overrides.context_tokens = Some(5_000);
    assert_eq!(settings(&overrides, &env).unwrap().limits().context_tokens, 5_000);
    overrides.base_url = Some("http://localhost:1/v1".into());
    let error = settings(&overrides, &env).unwrap_err().to_string();
    assert!(error.contains("leave one of them out"), "{error}");
    let error = server(text, "work/small", &[]).unwrap_err().to_string();
    assert!(error.contains("WORK_TOKEN"), "{error}");
}

#[test]
fn the_key_of_a_well_known_provider_goes_to_its_own_address_only() {
    let s = server("[providers.groq]\nbase_url = 'http://proxy.example.com/v1'", "groq/m", &[("GROQ_API_KEY", "gsk-1")]).unwrap();
    assert!(s.api_key.is_none());
    let s = server("[providers.groq]\ncontext_tokens = 9000", "groq/m", &[("GROQ_API_KEY", "gsk-1")]).unwrap();
    assert_eq!(s.api_key.unwrap().expose_secret(), "gsk-1");
    assert_eq!((s.base_url.as_str(), s.context_tokens), ("https://api.groq.com/openai/v1", Some(9_000)));
}

#[test]
fn what_is_wrong_in_a_provider_is_said_with_its_place() {
    for (text, model, words) in [
        (
            "[providers.work]\nbase_url = 'http://x/v1'\ncontext_token = 1",
            "m",
            "`context_token` in [providers.work]: did you mean `context_tokens`?",
        ),
        ("[providers.work]\nprice = { inputs = 1, output = 1 }", "m", "`inputs` in [providers.work.price]: did you mean `input`?"),
        ("[providers.work.models.'a']\nimage = true", "m", "`image` in [providers.work.models.\"a\"]: did you mean `images`?"),
        ("[providers.work]\ncontext_tokens = 10", "m", "it takes 2000 or more"),
        ("[providers.work]\napi_key_env = 'K'", "work/m", "has no `base_url`"),
        ("[providers.work]\nbase_url = 'http://x/v1'", "work", "which model of work?"),
        ("temperature = 3.0", "m", "it takes 0 to 2"),
        ("reasoning_effort = 'enormous'", "m", "reasoning_effort"),
        ("max_seconds = 0", "m", "`max_seconds` is 0"),
    ] {
        let error = server(text, model, &[]).unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}

#[test]
fn windows_of_known_families_are_used_where_none_is_set() {
    let (_dir, mut overrides) = file("");
    let window = |overrides: &Overrides| settings(overrides, &[("OPENAI_API_KEY", "k")]).unwrap().limits().context_tokens;
    assert_eq!(window(&overrides), 128_000);
    overrides.model = Some("gpt-4-0613".into());
    assert_eq!(window(&overrides), 8_192);
    overrides.model = Some("openrouter/anthropic/claude-sonnet-4".into());
    assert_eq!(window(&overrides), 200_000);
}
