//! Writes small PDFs, sound or broken as a test wants them.

/// A PDF of these numbered objects (from 1), with a cross-reference table. The first object is the catalog.
pub(super) fn pdf(objects: &[String]) -> Vec<u8> {
    let mut out = b"%PDF-1.7\n".to_vec();
    let mut offsets = Vec::new();
    for (i, object) in objects.iter().enumerate() {
        offsets.push(out.len());
        out.extend_from_slice(format!("{} 0 obj\n{object}\nendobj\n", i + 1).as_bytes());
    }
    let table = out.len();
    out.extend_from_slice(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).as_bytes());
    for offset in offsets {
        out.extend_from_slice(format!("{offset:010} 00000 n \n").as_bytes());
    }
    let size = objects.len() + 1;
    out.extend_from_slice(format!("trailer\n<</Size {size}/Root 1 0 R>>\nstartxref\n{table}\n%%EOF\n").as_bytes());
    out
}

/// A document whose pages say these words. Object 1 is the catalog (with `catalog` added to it), 2 the root of the pages, 3 the font;
/// page n is object 2n + 2 and its content object 2n + 3; `more` follows.
pub(super) fn document(words: &[&str], catalog: &str, more: &[&str]) -> Vec<u8> {
    let kids: Vec<String> = (1..=words.len()).map(|n| format!("{} 0 R", 2 * n + 2)).collect();
    let mut objects = vec![
        format!("<</Type/Catalog/Pages 2 0 R{catalog}>>"),
        format!("<</Type/Pages/Kids[{}]/Count {}>>", kids.join(" "), words.len()),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
    ];
    for (i, words) in words.iter().enumerate() {
        let resources = "/MediaBox[0 0 600 800]/Resources<</Font<</F1 3 0 R>>>>";
        objects.push(format!("<</Type/Page/Parent 2 0 R{resources}/Contents {} 0 R>>", 2 * i + 5));
        let content = format!("BT /F1 12 Tf 72 700 Td ({words}) Tj ET");
        objects.push(format!("<</Length {}>>stream\n{content}\nendstream", content.len()));
    }
    objects.extend(more.iter().map(ToString::to_string));
    pdf(&objects)
}

/// The bytes with every occurrence of `from` replaced by `to`, which must be as long.
pub(super) fn patched(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut out = bytes.to_vec();
    let mut at = 0;
    let mut hits = 0;
    while let Some(found) = out[at..].windows(from.len()).position(|w| w == from.as_bytes()) {
        out[at + found..at + found + to.len()].copy_from_slice(to.as_bytes());
        at += found + to.len();
        hits += 1;
    }
    assert!(hits > 0, "nothing to patch");
    out
}
