//! What bytes look like: where the PDF starts in them, and what else they are when they are no PDF.

/// How far the header may be from the first byte. Readers accept 1,024 bytes before `%PDF-` since the days of PDF 1.3.
const HEADER_WITHIN: usize = 1024;

/// A kind of file that is often saved under the name of a PDF.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OtherKind {
    /// What it is, with an article.
    pub looks_like: &'static str,
    /// What to do about it; the end of a sentence.
    pub advice: &'static str,
}

const IMAGE_ADVICE: &str = "turn it into a PDF with a text layer first, for example with `ocrmypdf --image-dpi 300 in.png out.pdf`";
const OFFICE_ADVICE: &str = "export it as PDF from the program that made it";

/// First bytes and what they say.
const MAGIC: [(&[u8], &str, &str); 16] = [
    (b"PK\x03\x04", "a ZIP archive or an Office document", "unpack it, or export the document as PDF"),
    (b"PK\x05\x06", "an empty ZIP archive", "get the file again"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document", OFFICE_ADVICE),
    (b"{\\rtf", "an RTF document", OFFICE_ADVICE),
    (b"\x89PNG", "a PNG image", IMAGE_ADVICE),
    (b"\xff\xd8\xff", "a JPEG image", IMAGE_ADVICE),
    (b"GIF8", "a GIF image", IMAGE_ADVICE),
    (b"II*\0", "a TIFF image", IMAGE_ADVICE),
    (b"MM\0*", "a TIFF image", IMAGE_ADVICE),
    (b"BM", "a BMP image", IMAGE_ADVICE),
    (b"AT&TFORM", "a DjVu document", "convert it first, for example with `ddjvu -format=pdf in.djvu out.pdf`"),
    (b"\x1f\x8b", "a gzip archive", "unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "unpack it first"),
    (b"Rar!", "a RAR archive", "unpack it first"),
    (b"%!", "a PostScript file", "convert it first, for example with `ps2pdf in.ps out.pdf`"),
    (b"version https://git-lfs", "a Git LFS pointer", "fetch the real file with `git lfs pull`"),
];

/// Where the PDF starts: 0 in most files, after the foreign bytes where something stands before the header and the file's offsets are
/// counted from the header.
pub(super) fn start_of_pdf(bytes: &[u8]) -> usize {
    let Some(header) = find(head(bytes), b"%PDF-").filter(|at| *at > 0) else { return 0 };
    let table = last_startxref(bytes);
    let points_at_table = |base: usize| table.and_then(|at| bytes.get(base.checked_add(at)?..)).is_some_and(is_cross_reference);
    if points_at_table(0) && !points_at_table(header) { 0 } else { header }
}

/// Whether a PDF header stands near the start.
pub(super) fn has_header(bytes: &[u8]) -> bool {
    find(head(bytes), b"%PDF").is_some() || (bytes.starts_with(b"%!PS-Adobe") && find(first_line(bytes), b" PDF-").is_some())
}

/// What the bytes are where they are known to be something else than a PDF.
pub(super) fn other_kind(bytes: &[u8]) -> Option<OtherKind> {
    if has_header(bytes) {
        return None;
    }
    if let Some((_, looks_like, advice)) = MAGIC.iter().find(|(magic, ..)| bytes.starts_with(magic)) {
        return Some(OtherKind { looks_like, advice });
    }
    let text = skip_blank(bytes);
    let start: Vec<u8> = text.iter().take(64).map(u8::to_ascii_lowercase).collect();
    let html: [&[u8]; 5] = [b"<!doctype html", b"<html", b"<head", b"<body", b"<script"];
    if html.iter().any(|tag| start.starts_with(tag)) {
        return Some(HTML);
    }
    if start.starts_with(b"<?xml") || start.starts_with(b"<!--") {
        let inner = head(bytes).to_ascii_lowercase();
        let kind = OtherKind { looks_like: "an XML file", advice: "get the PDF itself" };
        return Some(if find(&inner, b"<html").is_some() { HTML } else { kind });
    }
    None
}

/// What bytes look like in which no PDF could be found.
pub(super) fn unknown_kind(bytes: &[u8]) -> OtherKind {
    let sample = head(bytes);
    if bytes.iter().all(|b| *b == 0) {
        return OtherKind { looks_like: "nothing but zero bytes", advice: "get the file again" };
    }
    // The sample may end in the middle of a character.
    let utf8 = match std::str::from_utf8(sample) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    if utf8 && !sample.iter().any(|b| *b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r' | 0x0c)) {
        return OtherKind { looks_like: "plain text", advice: "print or export it as PDF first" };
    }
    OtherKind { looks_like: "binary data of an unknown kind", advice: "check where it came from and get the PDF again" }
}

const HTML: OtherKind = OtherKind {
    looks_like: "an HTML page, perhaps a login or error page that was saved in place of the document",
    advice: "download the PDF again",
};

/// Where `needle` first stands in `bytes`.
pub(super) fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes.windows(needle.len()).position(|w| w == needle)
}

fn head(bytes: &[u8]) -> &[u8] {
    bytes.get(..HEADER_WITHIN).unwrap_or(bytes)
}

fn first_line(bytes: &[u8]) -> &[u8] {
    let end = head(bytes).iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(0);
    bytes.get(..end).unwrap_or_default()
}

fn skip_blank(bytes: &[u8]) -> &[u8] {
    let rest = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let start = rest.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(rest.len());
    rest.get(start..).unwrap_or_default()
}

/// The number after the last `startxref`, which stands at the very end of a whole file.
fn last_startxref(bytes: &[u8]) -> Option<usize> {
    let tail = bytes.get(bytes.len().saturating_sub(2048)..)?;
    let key = b"startxref";
    let at = tail.windows(key.len()).rposition(|w| w == key)?;
    let digits: Vec<u8> = skip_blank(tail.get(at + key.len()..)?).iter().copied().take_while(u8::is_ascii_digit).take(19).collect();
    std::str::from_utf8(&digits).ok()?.parse().ok()
}

fn is_cross_reference(at: &[u8]) -> bool {
    let at = skip_blank(at);
    // A table, or the object that holds a cross-reference stream (`12 0 obj`).
    at.starts_with(b"xref") || (at.first().is_some_and(u8::is_ascii_digit) && find(at.get(..24).unwrap_or(at), b"obj").is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of(bytes: &[u8]) -> &'static str {
        other_kind(bytes).unwrap_or_else(|| unknown_kind(bytes)).looks_like
    }

    #[test]
    fn other_kinds_are_named() {
        assert!(kind_of(b"\n <!DOCTYPE html><html><body>Log in</body></html>").starts_with("an HTML page"));
        assert!(kind_of(b"<?xml version='1.0'?><html xmlns='x'/>").starts_with("an HTML page"));
        assert_eq!(kind_of(b"<?xml version='1.0'?><rss/>"), "an XML file");
        assert_eq!(kind_of(b"Dear all,\nplease find attached"), "plain text");
        assert_eq!(kind_of("Grüße".as_bytes()), "plain text");
        assert_eq!(kind_of(b"PK\x03\x04word/document.xml"), "a ZIP archive or an Office document");
        assert_eq!(kind_of(b"%!PS-Adobe-3.0\n"), "a PostScript file");
        assert_eq!(kind_of(b"\xff\xd8\xff\xe0"), "a JPEG image");
        assert_eq!(kind_of(b"\x01\x02\x03"), "binary data of an unknown kind");
        assert_eq!(kind_of(&[0; 50]), "nothing but zero bytes");
    }

    #[test]
    fn headers_are_found() {
        assert!(has_header(b"HTTP/1.1 200 OK\r\n\r\n%PDF-1.4"));
        assert!(has_header(b"%!PS-Adobe-3.0 PDF-1.4\n"));
        assert!(!has_header(&[b' '; 4000]));
        assert_eq!(other_kind(b"PK\x03\x04%PDF-1.7"), None);
    }

    #[test]
    fn offsets_decide_where_the_pdf_starts() {
        let junk = b"HTTP/1.1 200 OK\r\n\r\n";
        let body = b"%PDF-1.4\nxref\n0 1\ntrailer <<>>\nstartxref\n9\n%%EOF";
        let shifted = [junk.as_slice(), body].concat();
        assert_eq!(start_of_pdf(body), 0);
        assert_eq!(start_of_pdf(&shifted), junk.len());
        let counted = [junk.as_slice(), b"%PDF-1.4\nxref\n0 1\ntrailer <<>>\nstartxref\n28\n%%EOF"].concat();
        assert_eq!(start_of_pdf(&counted), 0);
    }
}
