use super::*;

fn endpoint(base_url: &str, key: Option<&str>) -> Result<Endpoint, ModelError> {
    let settings =
        OpenAiSettings { base_url: base_url.into(), api_key: key.map(Into::into), model: "m".into(), ..OpenAiSettings::default() };
    Endpoint::new(&settings)
}

#[test]
fn the_url_is_left_as_it_was_given() {
    for (base, url, host) in [
        ("https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions", "api.openai.com"),
        (" http://localhost:11434/v1/ ", "http://localhost:11434/v1/chat/completions", "localhost:11434"),
        ("http://localhost:8080", "http://localhost:8080/chat/completions", "localhost:8080"),
        ("https://x.test/v1/responses", "https://x.test/v1/chat/completions", "x.test"),
        ("https://x.test/v1/completions/", "https://x.test/v1/chat/completions", "x.test"),
        ("https://x.test/api/v1/chat/completions", "https://x.test/api/v1/chat/completions", "x.test"),
        ("https://x.test/openai?api-version=1", "https://x.test/openai/chat/completions?api-version=1", "x.test"),
        ("http://[::1]:80/v1", "http://[::1]/v1/chat/completions", "[::1]"),
    ] {
        let endpoint = endpoint(base, None).unwrap();
        assert_eq!((endpoint.url("/chat/completions").as_str(), endpoint.host().as_str()), (url, host));
    }
    assert!(endpoint("http://[::1]:8080", None).unwrap().is_loopback());
    assert!(endpoint("http://127.0.0.1:8080", None).unwrap().is_loopback());
    assert!(!endpoint("http://10.0.0.1:8080", None).unwrap().is_loopback());
}

#[test]
fn unusable_urls_are_refused_with_a_hint() {
    for base in ["", "localhost:11434/v1", "api.openai.com", "ftp://x.test", "http://", "http://a b/", "https://:80"] {
        let error = endpoint(base, None).err().unwrap_or_else(|| panic!("{base:?} was taken"));
        assert_eq!(error.kind, ModelErrorKind::Settings);
        assert!(error.hint.unwrap().contains("http://localhost:11434/v1"));
    }
}

#[test]
fn keys_are_trimmed_and_unusable_ones_refused_unseen() {
    let headers = |key: Option<&str>| endpoint("http://x.test", key).unwrap().headers();
    assert_eq!(headers(Some(" sk-1\n")).get("authorization").unwrap(), "Bearer sk-1");
    assert_eq!(headers(Some("Bearer sk-1")).get("authorization").unwrap(), "Bearer sk-1");
    assert!(headers(None).get("authorization").is_none());
    assert!(headers(Some(" \n")).get("authorization").is_none());
    for key in ["sk-\n1secret", "sk 1secret", "sk-1secret\u{e9}", "sk-1secret\0"] {
        let error = endpoint("http://x.test", Some(key)).err().unwrap();
        assert_eq!(error.kind, ModelErrorKind::Settings);
        assert!(!format!("{error:?}{error}").contains("1secret"));
    }
}

#[test]
fn no_secret_is_shown() {
    let mut settings = OpenAiSettings {
        base_url: "https://user:passw0rd@x.test/v1?key=querysecret".into(),
        api_key: Some("sk-topsecret".into()),
        model: "m".into(),
        ..OpenAiSettings::default()
    };
    settings.extra_headers.insert("api-key".into(), "headersecret".into());
    let endpoint = Endpoint::new(&settings).unwrap();
    let told = endpoint.presentable_text("key sk-topsecret, headersecret\u{1b}[31m and passw0rd");
    assert_eq!(told, "key [key], [key] [31m and [key]");
    assert_eq!(endpoint.shown_url("/chat/completions"), "https://x.test/v1/chat/completions");
    let shown = format!("{settings:?} {:?}", endpoint.headers());
    for secret in ["topsecret", "headersecret", "passw0rd", "querysecret"] {
        assert!(!shown.contains(secret), "{secret} in {shown}");
    }
    assert!(endpoint.presentable_text(&"long ".repeat(1000)).len() < 700);
}

#[test]
fn a_part_of_the_key_is_not_shown_either() {
    let endpoint = endpoint("https://x.test/v1", Some("sk-proj-abcdefghijklmnopqrstuvwxyz")).unwrap();
    for (told, shown) in [
        (
            "Incorrect API key provided: sk-proj-****************wxyz. You can find it.",
            "Incorrect API key provided: [key]. You can find it.",
        ),
        ("bad key 'sk-pr...xyz'", "bad key '[key]'"),
        ("token ****wxyz, unknown", "token [key], unknown"),
        ("the part (ghijklmnop) is wrong", "the part ([key]) is wrong"),
        ("wait... then **bold** words", "wait... then **bold** words"),
    ] {
        assert_eq!(endpoint.presentable_text(told), shown);
    }
}
