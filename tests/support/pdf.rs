//! Small PDFs for whole-program tests.

/// A page: lines of text, the first of them set large.
pub struct TestPage {
    pub heading: Option<String>,
    pub lines: Vec<String>,
}

/// A PDF with these pages and these bookmarks (title and page, 1-based).
pub fn pdf(pages: &[TestPage], bookmarks: &[(String, usize)]) -> Vec<u8> {
    let first_page = 4;
    let outline = first_page + 2 * pages.len();
    let mut objects = vec![
        format!("<</Type/Catalog/Pages 2 0 R/Outlines {outline} 0 R>>"),
        format!(
            "<</Type/Pages/Count {}/Kids[{}]>>",
            pages.len(),
            (0..pages.len()).map(|at| format!("{} 0 R ", first_page + 2 * at)).collect::<String>()
        ),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
    ];
    for (at, page) in pages.iter().enumerate() {
        let content = content(page);
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents {} 0 R>>",
            first_page + 2 * at + 1
        ));
        objects.push(format!("<</Length {}>>stream\n{content}\nendstream", content.len()));
    }
    let count = bookmarks.len();
    let ends = if count > 0 { format!("/First {} 0 R/Last {} 0 R", outline + 1, outline + count) } else { String::new() };
    objects.push(format!("<</Type/Outlines/Count {count}{ends}>>"));
    for (at, (title, page)) in bookmarks.iter().enumerate() {
        let next = if at + 1 < count { format!("/Next {} 0 R", outline + at + 2) } else { String::new() };
        let previous = if at > 0 { format!("/Prev {} 0 R", outline + at) } else { String::new() };
        let target = first_page + 2 * (page - 1);
        objects.push(format!("<</Title({title})/Parent {outline} 0 R/Dest[{target} 0 R/XYZ 72 792 0]{next}{previous}>>"));
    }
    let mut out = "%PDF-1.4\n".to_owned();
    let mut offsets = Vec::new();
    for (number, object) in (1..).zip(&objects) {
        offsets.push(out.len());
        out.push_str(&format!("{number} 0 obj\n{object}\nendobj\n"));
    }
    let table = out.len();
    out.push_str(&format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1));
    for offset in offsets {
        out.push_str(&format!("{offset:010} 00000 n \n"));
    }
    out.push_str(&format!("trailer<</Size {}/Root 1 0 R>>\nstartxref\n{table}\n%%EOF\n", objects.len() + 1));
    out.into_bytes()
}

fn content(page: &TestPage) -> String {
    let mut out = String::new();
    let mut y = 720;
    if let Some(heading) = &page.heading {
        out.push_str(&format!("BT /F1 18 Tf 72 {y} Td ({heading}) Tj ET\n"));
        y -= 30;
    }
    for line in &page.lines {
        out.push_str(&format!("BT /F1 10 Tf 72 {y} Td ({line}) Tj ET\n"));
        y -= 13;
    }
    out
}
