//! Names of companies and institutions.

use super::super::titles::{clean, is_ideographic};
use super::front::{has, words};

/// Longest name taken, in characters.
pub(super) const LONGEST: usize = 80;

/// Words that end the name of a company.
const LEGAL: &[&str] = &[
    "inc",
    "incorporated",
    "corporation",
    "corp",
    "company",
    "limited",
    "ltd",
    "plc",
    "llc",
    "llp",
    "lp",
    "nv",
    "bv",
    "ag",
    "gmbh",
    "sa",
    "sas",
    "sarl",
    "se",
    "kg",
    "kgaa",
    "spa",
    "srl",
    "oy",
    "ab",
    "asa",
    "associates",
    "partners",
    "holdings",
    "group",
    "bank",
    "trust",
    "n v",
    "s a",
    "l p",
    "b v",
    "s p a",
    "co",
    "dac",
    "pty",
    "e v",
    "ev",
];

/// Words in the names of public bodies and institutions.
const PUBLIC: &[&str] = &[
    "university",
    "universität",
    "université",
    "universiteit",
    "universidad",
    "università",
    "hochschule",
    "institute",
    "institut",
    "instituto",
    "istituto",
    "department",
    "ministry",
    "ministère",
    "ministerium",
    "bundesministerium",
    "ministerie",
    "ministerio",
    "ministero",
    "commission",
    "kommission",
    "agency",
    "agence",
    "agentur",
    "bundesamt",
    "landesamt",
    "council",
    "academy",
    "foundation",
    "stiftung",
    "office of",
    "association",
    "team",
    "verband",
    "verein",
    "authority",
    "bureau",
    "laboratory",
    "committee",
    "federal reserve system",
    "central bank",
    "board of governors",
    "administration",
    "network",
    "society",
    "organization",
    "organisation",
    "organización",
    "forum",
    "union",
    "revenue service",
    "health service",
    "research service",
    "servicio",
    "observatory",
    "museum",
    "hospital",
    "court",
    "parliament",
    "bundestag",
    "rechnungshof",
    "school",
];

/// Names that stand on documents of others: regulators that papers are filed with, exchanges, auditors, agents.
const OTHERS: &[&str] = &[
    "securities and exchange commission",
    "new york stock exchange",
    "nasdaq",
    "stock market",
    "stock exchange",
    "deloitte",
    "kpmg",
    "pricewaterhousecoopers",
    "ernst young",
    "office of management and budget",
    "edgar online",
    "business wire",
    "pr newswire",
    "globe newswire",
    "privacy act",
    "paperwork reduction",
    "standard poor's",
    "depository trust",
    "computershare",
    "transfer agent",
];

/// Words before a colon or at the head of a line after which the issuer is named.
pub(super) const LABELS: &[&str] = &[
    "published by",
    "issued by",
    "produced by",
    "prepared by",
    "agency",
    "publisher",
    "herausgeber",
    "herausgegeben von",
    "hrsg",
    "éditeur",
    "édité par",
    "dossier réalisé par",
    "uitgever",
    "uitgave van",
    "editor",
    "edita",
    "impresa",
    "company name",
    "name of company",
    "company",
    "employer",
    "発行",
    "発行元",
    "発行者",
    "编制单位",
    "公司名称",
    "公司法定中文名称",
    "发布单位",
    "발행처",
    "회사명",
    "reporting agency name",
    "manufacturer",
    "issuer",
];

pub(super) fn is_other(name: &str) -> bool {
    let words = words(name);
    OTHERS.iter().any(|other| has(&words, other))
}

/// The name of a company (true) or an institution in a short line that is nothing but that name.
pub(super) fn institution(line: &str) -> Option<(bool, String)> {
    let line = line
        .trim_start_matches(|c: char| !c.is_alphanumeric())
        .split(['†', '‡', '∗', '§', '®', '™', '|', '•'])
        .next()
        .unwrap_or(line)
        .trim();
    let length = line.chars().count();
    if !(4..=LONGEST).contains(&length)
        || line.contains(['@', '=', ';', '?', '!', ':', '：', '/', '_', '"', '“'])
        || line.starts_with(|c: char| c.is_ascii_digit()) && !line.starts_with("3M")
    {
        return None;
    }
    if line.chars().any(is_ideographic) {
        // An imprint names its parts: "발행처 국회입법조사처".
        if line.split_once([' ', ':', '：']).is_some_and(|(label, _)| LABELS.contains(&label)) {
            return None;
        }
        let ends = [
            "株式会社",
            "有限公司",
            "有限责任公司",
            "股份有限公司",
            "集团",
            "大学",
            "委员会",
            "委員会",
            "研究所",
            "研究院",
            "省",
            "庁",
            "協会",
            "学会",
            "協議会",
            "주식회사",
            "대학교",
            "연구원",
            "연구소",
            "위원회",
            "입법조사처",
            "公社",
            "出版社",
            "法院",
        ];
        let fits = ends.iter().any(|e| line.ends_with(e)) || line.starts_with("株式会社") || line.starts_with("주식회사");
        return (fits && length <= 30).then(|| (line.contains("公司") || line.contains("会社"), clean(line)));
    }
    let padded = words(line);
    let tokens: Vec<&str> = padded.split_whitespace().collect();
    if tokens.len() > 9 || tokens.len() < 2 && !matches!(tokens.as_slice(), [one] if one.ends_with("ministerium")) {
        return None;
    }
    // Whole sentences and headings about institutions are no names.
    let verbs = [
        "is",
        "are",
        "was",
        "has",
        "have",
        "by",
        "this",
        "that",
        "your",
        "our",
        "you",
        "with",
        "how",
        "what",
        "not",
        "did",
        "does",
        "will",
        "can",
        "may",
        "if",
        "or",
        "see",
        "use",
        "using",
        "about",
        "under",
        "only",
        "name",
        "address",
        "number",
        "date",
        "part",
        "section",
        "form",
        "chapter",
        "table",
        "copyright",
        "submitted",
        "prepared",
        "former",
        "which",
        "any",
        "all",
        "other",
        "from",
    ];
    if tokens.iter().any(|t| verbs.contains(t)) || !capitals(line) {
        return None;
    }
    let ends_point = line.ends_with(['.', ',']);
    let company = ends_legal(&padded);
    if ends_point && !company {
        return None;
    }
    let public = PUBLIC.iter().any(|p| has(&padded, p)) && (tokens.len() >= 2);
    if has(&padded, "journal") || has(&padded, "proceedings") {
        return None;
    }
    let bare = line.starts_with(|c: char| c.is_lowercase())
        || matches!(tokens.as_slice(), ["the", _] | [_])
        || matches!(tokens.last(), Some(&("of" | "for" | "and" | "the" | "in" | "der" | "des" | "de")));
    // A list of several names is no name; a comma before "Inc." is part of one.
    let commas = line.matches(',').count();
    let listed = commas > usize::from(company) + usize::from(public);
    let common = matches!(
        padded.trim(),
        "the company"
            | "the group"
            | "the bank"
            | "parent company"
            | "about the company"
            | "holding company"
            | "the corporation"
            | "department of"
            | "our company"
            | "a company"
            | "public company"
            | "community service"
            | "customer service"
            | "annual service"
    );
    (!bare && !listed && !common && (company || public)).then(|| (company, clean(line)))
}

/// Whether a short line is nothing but the name of a company or an institution.
pub(super) fn is_institution(name: &str) -> bool {
    institution(name).is_some()
}

pub(super) fn ends_legal(padded: &str) -> bool {
    LEGAL
        .iter()
        .any(|l| padded.trim_end().strip_suffix(l).is_some_and(|rest| rest.ends_with(' ') && rest.trim().chars().count() >= 2))
}

/// Whether the words of a name are written with capitals, small joining words aside.
pub(super) fn capitals(name: &str) -> bool {
    let small = [
        "of", "and", "the", "for", "in", "on", "de", "la", "der", "und", "für", "des", "du", "et", "le", "les", "van", "voor",
        "en", "di", "del", "e", "y", "von", "zur", "&", "d'", "l'", "à", "au", "aux", "am", "im", "to", "at", "los", "las", "plc",
        "gmbh", "mbh", "inc.", "ltd.", "e.v.",
    ];
    let mut upper = 0;
    for word in name.split_whitespace() {
        let first = word.trim_start_matches(['(', '«', '"', '“', '‘']).chars().next();
        match first {
            Some(c) if c.is_lowercase() && !small.contains(&word) && !word.contains(['\'', '’']) => return false,
            Some(c) if c.is_uppercase() => upper += 1,
            _ => {}
        }
    }
    upper >= 1
}

/// A name in capitals in ordinary writing; short words of one to three capitals stay when they have no vowel ("IBM").
pub(super) fn calm(name: &str) -> String {
    if name.chars().any(char::is_lowercase) {
        return name.to_owned();
    }
    let small = ["OF", "AND", "THE", "FOR", "IN", "ON", "DE", "LA", "DER", "UND"];
    let legal = ["INC.", "INC", "CO.", "CO.,", "CORP.", "CORP", "LTD.", "LTD", "LTD.,"];
    let mut out = Vec::new();
    for (at, word) in name.split_whitespace().enumerate() {
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        let vowel = word.chars().any(|c| "AEIOUY".contains(c));
        if at > 0 && small.contains(&word) {
            out.push(word.to_lowercase());
        } else if !legal.contains(&word.trim_end_matches(','))
            && (letters <= 3 && (!vowel || word.chars().any(|c| c.is_ascii_digit()))
                || matches!(word, "PLC" | "LLC" | "LLP" | "USA" | "AG" | "SE" | "SA" | "UK" | "US" | "EU")
                || word.contains('.') && word.len() <= 5)
        {
            out.push(word.to_owned());
        } else {
            let mut begins = true;
            out.push(
                word.chars()
                    .flat_map(|c| {
                        let this = if begins { vec![c] } else { c.to_lowercase().collect() };
                        begins = matches!(c, '-' | '/' | '(');
                        this
                    })
                    .collect(),
            );
        }
    }
    out.join(" ")
}
