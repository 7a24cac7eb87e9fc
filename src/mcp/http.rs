//! MCP over Streamable HTTP.
//!
//! A server that listens on this machine can be reached by every web page that its user opens, so it looks at where a request comes from:
//! a wrong `Host` (DNS rebinding) or a foreign `Origin` gets 403. Beyond the loopback interface it asks for a token as well.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::serve::ListenerExt;

use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower_http::cors::{AllowHeaders, CorsLayer};

use super::Server;
use crate::error::{Error, Result};

/// Where the service stands.
pub const MCP_PATH: &str = "/mcp";

/// Who may use the server.
#[derive(Debug, Clone, Default)]
pub struct HttpAccess {
    /// What every request has to bring as `Authorization: Bearer`. Needed to listen beyond the loopback interface.
    pub token: Option<SecretString>,
    /// Web origins that may call, such as `https://app.example.com`, beside the server's own.
    pub origins: Vec<String>,
    /// Host names under which it may be addressed, beside its own address. With a token and an address that stands for all interfaces
    /// every name may be used until some are given.
    pub hosts: Vec<String>,
}

/// A server that listens but does not answer yet.
pub struct HttpServer {
    listener: TcpListener,
    address: SocketAddr,
    access: HttpAccess,
}

impl HttpServer {
    /// Listens at `address`: `127.0.0.1:8787`, `localhost:8787`, `[::1]:8787`, or a port alone for 127.0.0.1. Port 0 takes a free one.
    ///
    /// # Errors
    /// [`Error::Settings`] for text that is no address, for an empty token or a wrong origin, and for an address beyond the loopback
    /// interface without a token; [`Error::Io`] when it cannot be listened at.
    pub async fn bind(address: &str, access: HttpAccess) -> Result<Self> {
        check(&access)?;
        let address = resolve(address).await?;
        if !address.ip().is_loopback() && access.token.is_none() {
            return Err(Error::Settings(format!(
                "{address} can be reached from other machines, and whoever reaches it could read every document: set a token \
                 (PAGEWISE_MCP_TOKEN or --token-file), or listen at 127.0.0.1:{}",
                address.port()
            )));
        }
        let failed = |source| Error::Io { what: format!("cannot listen at {address}"), source };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self { listener, address, access })
    }

    /// Where hosts reach it.
    pub fn url(&self) -> String {
        format!("http://{}{MCP_PATH}", self.address)
    }

    /// Answers until `cancel` fires; calls that are running then are cancelled.
    ///
    /// # Errors
    /// [`Error::Io`] when the listener breaks.
    pub async fn serve(self, server: Server, cancel: CancellationToken) -> Result<()> {
        let config = StreamableHttpServerConfig::default()
            .with_cancellation_token(cancel.clone())
            .with_allowed_hosts(self.hosts())
            .with_allowed_origins(self.origins())
            .enforce_origin_validation();
        let sessions = Arc::new(LocalSessionManager::default());
        let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
        let mut router = Router::new().route_service(MCP_PATH, service).layer(middleware::from_fn(ending)).fallback(elsewhere);
        if let Some(token) = &self.access.token {
            let expected = digest(token.expose_secret());
            router = router.layer(middleware::from_fn_with_state(expected, authorize));
        }
        if !self.access.origins.is_empty() {
            router = router.layer(cors(&self.access.origins)?);
        }
        let address = self.address;
        // Replies are small and must not wait for more (Nagle's algorithm costs 40 ms with clients that acknowledge late).
        let listener = self.listener.tap_io(|stream| {
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!(%error, "TCP_NODELAY cannot be set");
            }
        });
        axum::serve(listener, router)
            .with_graceful_shutdown(cancel.cancelled_owned())
            .await
            .map_err(|source| Error::Io { what: format!("serving at {address}"), source })
    }

    /// Names under which a request may address this server; none for any.
    fn hosts(&self) -> Vec<String> {
        let mut hosts = self.access.hosts.clone();
        if self.address.ip().is_unspecified() {
            if !hosts.is_empty() {
                hosts.extend(LOOPBACK.map(str::to_owned));
            }
        } else {
            if self.address.ip().is_loopback() {
                hosts.extend(LOOPBACK.map(str::to_owned));
            }
            let own = self.address.ip().to_string();
            if !hosts.contains(&own) {
                hosts.push(own);
            }
        }
        hosts
    }

    /// Its own origins, and those that were allowed.
    fn origins(&self) -> Vec<String> {
        let port = self.address.port();
        let own = ["localhost", "127.0.0.1", "[::1]"].map(|host| format!("http://{host}:{port}"));
        let own = own.into_iter().chain([format!("http://{}", self.address)]);
        self.access.origins.iter().cloned().chain(own).collect()
    }
}

/// The names of this machine on its loopback interface.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

fn check(access: &HttpAccess) -> Result<()> {
    if let Some(token) = &access.token {
        let token = token.expose_secret();
        // RFC 6750 allows visible characters only; others could never be sent.
        if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::Settings("the token must be visible ASCII characters without spaces, and not empty".to_owned()));
        }
    }
    for host in &access.hosts {
        if host.is_empty() || host.contains(['/', '*', ' ', '@']) {
            return Err(Error::Settings(format!("{host:?} is no host name; one looks like docs.example.com")));
        }
    }
    for origin in &access.origins {
        let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        if !rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(['/', '*', ' '])) {
            return Err(Error::Settings(format!("{origin:?} is no origin; one looks like https://app.example.com")));
        }
    }
    Ok(())
}

async fn resolve(address: &str) -> Result<SocketAddr> {
    if address.contains('/') {
        return Err(Error::Settings(format!("{address:?} is a URL; the address to listen at looks like 127.0.0.1:8787")));
    }
    let with_host = if address.parse::<u16>().is_ok() { format!("127.0.0.1:{address}") } else { address.to_owned() };
    let wrong =
        |why: &str| Error::Settings(format!("{address:?} is no address to listen at ({why}); one looks like 127.0.0.1:8787"));
    if let Ok(address) = with_host.parse() {
        return Ok(address);
    }
    // A name may stand for addresses inside and outside of this machine; only the one that is listened at counts.
    let mut found = tokio::net::lookup_host(&with_host).await.map_err(|error| wrong(&error.to_string()))?;
    found.next().ok_or_else(|| wrong("the name is not known"))
}

fn cors(origins: &[String]) -> Result<CorsLayer> {
    let origins = origins
        .iter()
        .map(|origin| origin.parse::<HeaderValue>())
        .collect::<std::result::Result<Vec<_>, _>>()
        .map_err(|error| Error::Settings(format!("an origin cannot be sent in a header: {error}")))?;
    Ok(CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        // "*" would leave out Authorization.
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers([header::HeaderName::from_static("mcp-session-id")]))
}

/// Tokens are compared by their hashes, so the time that it takes tells nothing of where they differ.
fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

async fn authorize(State(expected): State<[u8; 32]>, request: Request, next: Next) -> Response {
    let sent = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = sent.and_then(|value| value.split_once(' ')).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    match token {
        Some((_, token)) if digest(token.trim()) == expected => next.run(request).await,
        _ => refusal(StatusCode::UNAUTHORIZED, "this server needs its token: Authorization: Bearer TOKEN", Some("Bearer")),
    }
}

/// Ends a session with 204. The service below says 202, which clients take for a failure and warn of.
async fn ending(request: Request, next: Next) -> Response {
    let is_end = request.method() == Method::DELETE;
    let mut response = next.run(request).await;
    if is_end && response.status() == StatusCode::ACCEPTED {
        *response.status_mut() = StatusCode::NO_CONTENT;
    }
    response
}

async fn elsewhere() -> Response {
    refusal(StatusCode::NOT_FOUND, &format!("MCP is served at {MCP_PATH}"), None)
}

fn refusal(status: StatusCode, message: &str, challenge: Option<&'static str>) -> Response {
    let body = json!({"error": message}).to_string();
    let mut response = (status, [(header::CONTENT_TYPE, "application/json")], body).into_response();
    if let Some(challenge) = challenge {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(token: Option<&str>) -> HttpAccess {
        HttpAccess { token: token.map(SecretString::from), ..HttpAccess::default() }
    }

    #[tokio::test]
    async fn it_listens_on_this_machine_only_unless_there_is_a_token() {
        for address in ["127.0.0.1:0", "localhost:0", "[::1]:0", "0"] {
            let server = HttpServer::bind(address, access(None)).await.unwrap();
            assert!(server.address.ip().is_loopback() && server.address.port() > 0, "{address}");
        }
        for address in ["0.0.0.0:0", "[::]:0"] {
            let error = HttpServer::bind(address, access(None)).await.err().unwrap().to_string();
            assert!(error.contains("PAGEWISE_MCP_TOKEN") && error.contains("127.0.0.1:0"), "{error}");
            assert!(HttpServer::bind(address, access(Some("secret"))).await.is_ok());
        }
        for address in ["", "127.0.0.1", "127.0.0.1:99999", "no such host:80", "http://127.0.0.1:8787"] {
            assert!(matches!(HttpServer::bind(address, access(None)).await, Err(Error::Settings(_))), "{address}");
        }
    }

    #[tokio::test]
    async fn tokens_and_origins_must_make_sense() {
        for token in ["", " ", "two words", "line\nbreak", "ümlaut"] {
            assert!(matches!(HttpServer::bind("0", access(Some(token))).await, Err(Error::Settings(_))), "{token:?}");
        }
        for origin in ["*", "app.example.com", "https://", "https://app.example.com/", "https://*.example.com", "null"] {
            let access = HttpAccess { origins: vec![origin.to_owned()], ..HttpAccess::default() };
            assert!(matches!(HttpServer::bind("0", access).await, Err(Error::Settings(_))), "{origin:?}");
        }
    }

    #[test]
    fn names_that_are_answered_to() {
        let hosts = |address: &str, given: &[&str]| {
            let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            listener.set_nonblocking(true).unwrap();
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let _entered = runtime.enter();
            let access = HttpAccess { hosts: given.iter().map(|host| (*host).to_owned()).collect(), ..HttpAccess::default() };
            let listener = TcpListener::from_std(listener).unwrap();
            HttpServer { listener, address: address.parse().unwrap(), access }.hosts()
        };
        assert_eq!(hosts("127.0.0.1:8787", &[]), ["localhost", "127.0.0.1", "::1"]);
        assert_eq!(hosts("127.0.0.2:8787", &[]).last().map(String::as_str), Some("127.0.0.2"));
        assert_eq!(hosts("192.168.1.5:8787", &[]), ["192.168.1.5"]);
        assert_eq!(hosts("192.168.1.5:8787", &["docs.example.com"]), ["docs.example.com", "192.168.1.5"]);
        assert!(hosts("0.0.0.0:8787", &[]).is_empty());
        assert_eq!(hosts("0.0.0.0:8787", &["docs.example.com"]).first().map(String::as_str), Some("docs.example.com"));
    }
}
