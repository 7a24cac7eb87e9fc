//! Documents as resources: `pagewise://DOC/tree`, its outline, and `pagewise://DOC/page/N`, the text of one page. DOC is the name (or the
//! id) of a document, percent-encoded. All of it is read through the tools, so scope and limits hold here as well.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use rmcp::ErrorData;
use rmcp::model::{ListResourcesResult, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::envelope::{Listed, call};
use crate::tools::{BROWSE_DOCUMENTS, GET_DOCUMENT_STRUCTURE, GET_PAGE_CONTENT, Toolbox};

const SCHEME: &str = "pagewise://";
const JSON: &str = "application/json";
const TEXT: &str = "text/plain";
/// Resources of one reply: as many as `browse_documents` lists at once.
const LISTED: u64 = 50;
/// What stays as it is in a name (RFC 3986, unreserved).
const NAME: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// What a URI names.
#[derive(Debug, PartialEq, Eq)]
enum Address {
    Tree { doc: String, part: u64 },
    Page { doc: String, page: u64 },
}

/// The shapes of all URIs.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{SCHEME}{{doc_name}}/tree{{?part}}"), "tree")
            .with_title("Outline of a document")
            .with_description("Sections with their first and last pages. A long outline comes in parts; part is 1 when left out.")
            .with_mime_type(JSON),
        ResourceTemplate::new(format!("{SCHEME}{{doc_name}}/page/{{page}}"), "page")
            .with_title("Text of a page")
            .with_description("The text of one page. Pages are physical: the first page of the file is 1.")
            .with_mime_type(TEXT),
    ]
}

/// The outlines of the documents that can be read, newest first, from a cursor of an earlier reply on.
///
/// # Errors
/// A cursor that no reply gave; a library that cannot be read.
pub(super) async fn list(
    toolbox: &dyn Toolbox,
    cursor: Option<&str>,
    cancel: &CancellationToken,
) -> Result<ListResourcesResult, ErrorData> {
    let offset: u64 = match cursor {
        None => 0,
        Some(cursor) => cursor.parse().map_err(|_| ErrorData::invalid_params("this cursor is not known", None))?,
    };
    let (_, envelope) = call(toolbox, BROWSE_DOCUMENTS, &json!({"offset": offset, "limit": LISTED}), cancel).await?;
    let readable = envelope.documents.into_iter().filter(Listed::is_readable);
    let resources = readable.map(|document| {
        Resource::new(format!("{SCHEME}{}/tree", encoded(&document.name)), document.name.clone())
            .with_title(document.name)
            .with_description(document.description)
            .with_mime_type(JSON)
    });
    let mut listed = ListResourcesResult::with_all_items(resources.collect());
    listed.next_cursor = envelope.next_offset.map(|offset| offset.to_string());
    Ok(listed)
}

/// What stands at a URI.
///
/// # Errors
/// A URI of another form, a document or page that does not exist or cannot be read yet.
pub(super) async fn read(toolbox: &dyn Toolbox, uri: &str, cancel: &CancellationToken) -> Result<ReadResourceResult, ErrorData> {
    let address = parse(uri).ok_or_else(|| {
        ErrorData::resource_not_found(
            format!("a resource here is {SCHEME}DOC/tree or {SCHEME}DOC/page/N, DOC a document name, percent-encoded"),
            Some(json!({"uri": uri})),
        )
    })?;
    let (text, mime) = match address {
        Address::Tree { doc, part } => {
            let arguments = json!({"doc_name": doc, "part": part});
            (call(toolbox, GET_DOCUMENT_STRUCTURE, &arguments, cancel).await?.0, JSON)
        }
        Address::Page { doc, page } => {
            let arguments = json!({"doc_name": doc, "pages": page.to_string()});
            let (_, envelope) = call(toolbox, GET_PAGE_CONTENT, &arguments, cancel).await?;
            (envelope.content.into_iter().next().map(|page| page.text).unwrap_or_default(), TEXT)
        }
    };
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(mime)]))
}

fn encoded(name: &str) -> String {
    utf8_percent_encode(name, NAME).to_string()
}

fn parse(uri: &str) -> Option<Address> {
    let (path, query) = match uri.strip_prefix(SCHEME)?.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (uri.strip_prefix(SCHEME)?, None),
    };
    let mut segments = path.split('/');
    let doc = percent_decode_str(segments.next().filter(|doc| !doc.is_empty())?).decode_utf8().ok()?.into_owned();
    let address = match (segments.next()?, segments.next(), query) {
        ("tree", None, None) => Address::Tree { doc, part: 1 },
        ("tree", None, Some(query)) => Address::Tree { doc, part: number(query.strip_prefix("part=")?)? },
        ("page", Some(page), None) => Address::Page { doc, page: number(page)? },
        _ => return None,
    };
    segments.next().is_none().then_some(address)
}

/// A whole number as it is written, 1 or more.
fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    if digits { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let tree = |doc: &str, part| Some(Address::Tree { doc: doc.to_owned(), part });
        let page = |doc: &str, page| Some(Address::Page { doc: doc.to_owned(), page });
        assert_eq!(parse("pagewise://annual-report.pdf/tree"), tree("annual-report.pdf", 1));
        assert_eq!(parse("pagewise://annual-report.pdf/tree?part=3"), tree("annual-report.pdf", 3));
        assert_eq!(parse("pagewise://a%20b%2Fc%3F.pdf/page/12"), page("a b/c?.pdf", 12));
        for name in ["Übersicht 50%.pdf", "a/b?c#d.pdf", "報告.pdf", "..", "a b+c&d=e.pdf"] {
            assert_eq!(parse(&format!("pagewise://{}/page/1", encoded(name))), page(name, 1));
        }
    }

    #[test]
    fn other_addresses_are_refused() {
        for uri in [
            "",
            "pagewise://",
            "pagewise:///tree",
            "pagewise://a.pdf",
            "pagewise://a.pdf/",
            "pagewise://a.pdf/tree/",
            "pagewise://a.pdf/tree/2",
            "pagewise://a.pdf/tree?part=0",
            "pagewise://a.pdf/tree?page=1",
            "pagewise://a.pdf/page",
            "pagewise://a.pdf/page/",
            "pagewise://a.pdf/page/0",
            "pagewise://a.pdf/page/-1",
            "pagewise://a.pdf/page/1-3",
            "pagewise://a.pdf/page/1/2",
            "pagewise://a.pdf/page/99999999999999999999",
            "pagewise://%FF.pdf/tree",
            "file:///etc/passwd",
        ] {
            assert_eq!(parse(uri), None, "{uri}");
        }
    }
}
