//! Spans of runs, turns and tool calls for an OpenTelemetry collector, over HTTP.

use std::time::Duration;

use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::SpanExporter;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing_subscriber::{Layer, Registry};

use crate::error::{Error, Result};

/// The variables that name a collector; the exporter itself reads them, and others of the standard (headers, timeout).
const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];
/// How long the end of the program waits for the last spans to be sent.
const LAST_SPANS: Duration = Duration::from_secs(3);

/// Sends spans until it is dropped.
pub(super) struct Exporter {
    provider: SdkTracerProvider,
}

impl Exporter {
    /// One for the collector that the environment names; none where it names none.
    ///
    /// # Errors
    /// [`Error::Settings`] when it cannot be used.
    pub(super) fn from_environment() -> Result<Option<Self>> {
        let named = |variable: &&str| std::env::var(variable).is_ok_and(|value| !value.trim().is_empty());
        if !ENDPOINTS.iter().any(|variable| named(&variable)) {
            return Ok(None);
        }
        let exporter = SpanExporter::builder()
            .with_http()
            .build()
            .map_err(|error| Error::Settings(format!("the OpenTelemetry collector cannot be used: {error}")))?;
        let resource = Resource::builder().with_service_name("pagewise").build();
        Ok(Some(Self { provider: SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build() }))
    }

    /// What hears of the spans.
    pub(super) fn layer(&self) -> impl Layer<Registry> + Send + Sync + use<> {
        tracing_opentelemetry::layer().with_tracer(self.provider.tracer("pagewise"))
    }
}

impl Drop for Exporter {
    fn drop(&mut self) {
        // A collector that does not answer must not hold up the end of the program, and cannot be told of anywhere else.
        let _ = self.provider.shutdown_with_timeout(LAST_SPANS);
    }
}
