//! Document names as models write them, with small differences.

use super::fold::fold;

/// A name without folder, ending and case, with one form of blanks, hyphens and underscores.
pub(super) fn loose_name(name: &str) -> String {
    let folded = fold(&bare(name).replace("%20", " "));
    let stem = folded.strip_suffix(".pdf").unwrap_or(&folded);
    let mut out = String::with_capacity(stem.len());
    for c in stem.chars() {
        let c = if c.is_whitespace() || matches!(c, '-' | '_' | '+') { ' ' } else { c };
        if c != ' ' || !(out.is_empty() || out.ends_with(' ')) {
            out.push(c);
        }
    }
    out.trim_end().to_owned()
}

/// A name without folder and quotes.
fn bare(name: &str) -> &str {
    let name = name
        .trim()
        .trim_start_matches("file://")
        .trim_matches(|c: char| matches!(c, '"' | '\'' | '`' | '“' | '”' | '‘' | '’' | '<' | '>'));
    name.rsplit(['/', '\\']).next().unwrap_or(name).trim()
}

/// The one known name that a written name means: the same name, else the only one that differs in folder, case, or ending and blanks.
/// `None` when there is none, or more than one.
pub(super) fn resolve<'a>(written: &str, known: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    if let Some(same) = known.clone().find(|k| *k == written.trim()) {
        return Some(same);
    }
    let steps: [fn(&str) -> String; 3] = [|n| bare(n).to_owned(), |n| fold(bare(n)), loose_name];
    for step in steps {
        let want = step(written);
        let mut found = known.clone().filter(|k| !want.is_empty() && step(k) == want);
        match (found.next(), found.next()) {
            (Some(one), None) => return Some(one),
            (Some(_), Some(_)) => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_differences_are_bridged_when_only_one_name_fits() {
        let known = ["q1-fy25-earnings.pdf", "Annual Report.pdf", "Data.pdf", "data.pdf", "report.pdf"];
        let find = |written| resolve(written, known.iter().copied());
        assert_eq!(find("q1-fy25-earnings.pdf"), Some("q1-fy25-earnings.pdf"));
        assert_eq!(find("Q1-FY25-Earnings"), Some("q1-fy25-earnings.pdf"));
        assert_eq!(find("docs/q1-fy25-earnings.pdf"), Some("q1-fy25-earnings.pdf"));
        assert_eq!(find("annual_report.PDF"), Some("Annual Report.pdf"));
        assert_eq!(find("data.pdf"), Some("data.pdf"));
        assert_eq!(find("DATA.pdf"), None);
        assert_eq!(find("annual.pdf"), None);
        assert_eq!(find(""), None);
    }
}
