//! Numbering at the head of a title: "2.1", "IV.", "Item 7A.", "§ 3", "Chapter 4", "第一章".

/// How a title is numbered. Two titles with the same scheme stand on the same level of a document more often than not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Scheme {
    /// "Part II".
    Part,
    /// "Chapter 3", "第三章".
    Chapter,
    /// "Appendix B", "Annex 1", "Exhibit 4".
    Appendix,
    /// "Item 7A".
    Item,
    /// "Section 3", "Abschnitt 2", "第一节".
    Section,
    /// "Article 5", "§ 12", "第3条", "Note 4".
    Clause,
    /// "一、"
    Ideographic,
    /// "IV."
    UpperRoman,
    /// "B."
    UpperLetter,
    /// "3", "3.", "3.1", "A.2": numbers joined by points.
    Decimal,
    /// "iv."
    LowerRoman,
    /// "b)"
    LowerLetter,
    /// "(3)", "3)"
    Bracketed,
    /// "(a)", "(iv)"
    BracketedLetter,
    /// "（一）"
    BracketedIdeographic,
}

/// Numbering found at the head of a title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Numbering {
    /// The scheme.
    pub scheme: Scheme,
    /// The numbers, outermost first; letters and roman numbers as numbers.
    pub value: Vec<u32>,
    /// The first part is a letter ("A.1", "Annex B").
    pub lettered: bool,
    /// Bytes of the title that the numbering takes, white space after it included.
    pub len: usize,
}

impl Numbering {
    /// Parts of a decimal numbering ("3.1" has two); 1 for all others.
    pub fn depth(&self) -> usize {
        if self.scheme == Scheme::Decimal { self.value.len() } else { 1 }
    }
}

/// Words that stand before a number in a heading, in the languages that reports and manuals are mostly written in.
const KEYWORDS: &[(&str, Scheme)] = &[
    ("part", Scheme::Part),
    ("teil", Scheme::Part),
    ("partie", Scheme::Part),
    ("parte", Scheme::Part),
    ("deel", Scheme::Part),
    ("titre", Scheme::Part),
    ("title", Scheme::Part),
    ("titolo", Scheme::Part),
    ("título", Scheme::Part),
    ("часть", Scheme::Part),
    ("część", Scheme::Part),
    ("chapter", Scheme::Chapter),
    ("kapitel", Scheme::Chapter),
    ("chapitre", Scheme::Chapter),
    ("capítulo", Scheme::Chapter),
    ("capitulo", Scheme::Chapter),
    ("capitolo", Scheme::Chapter),
    ("hoofdstuk", Scheme::Chapter),
    ("lecture", Scheme::Chapter),
    ("lesson", Scheme::Chapter),
    ("глава", Scheme::Chapter),
    ("rozdział", Scheme::Chapter),
    ("appendix", Scheme::Appendix),
    ("annex", Scheme::Appendix),
    ("annexe", Scheme::Appendix),
    ("anhang", Scheme::Appendix),
    ("bijlage", Scheme::Appendix),
    ("exhibit", Scheme::Appendix),
    ("schedule", Scheme::Appendix),
    ("item", Scheme::Item),
    ("anexo", Scheme::Appendix),
    ("allegato", Scheme::Appendix),
    ("приложение", Scheme::Appendix),
    ("załącznik", Scheme::Appendix),
    ("section", Scheme::Section),
    ("abschnitt", Scheme::Section),
    ("sección", Scheme::Section),
    ("sezione", Scheme::Section),
    ("раздел", Scheme::Section),
    ("article", Scheme::Clause),
    ("artikel", Scheme::Clause),
    ("artículo", Scheme::Clause),
    ("articolo", Scheme::Clause),
    ("artigo", Scheme::Clause),
    ("artykuł", Scheme::Clause),
    ("статья", Scheme::Clause),
    ("note", Scheme::Clause),
];

/// The numbering at the head of a title, if there is one.
pub(super) fn numbering(title: &str) -> Option<Numbering> {
    let lead = title.len() - title.trim_start().len();
    let text = title.trim_start();
    let mut found =
        cjk(text).or_else(|| listed_cjk(text)).or_else(|| clause_sign(text)).or_else(|| keyword(text)).or_else(|| plain(text))?;
    found.len += lead;
    Some(found)
}

/// "第一章", "第3节", "제1장".
fn cjk(text: &str) -> Option<Numbering> {
    let rest = text.strip_prefix('第').or_else(|| text.strip_prefix('제'))?.trim_start();
    let end = rest.find(|c: char| !(c.is_ascii_digit() || cjk_digit(c).is_some()))?;
    let number = cjk_number(rest.get(..end)?)?;
    let tail = rest.get(end..)?.trim_start();
    let mark = tail.chars().next()?;
    let scheme = match mark {
        '部' | '编' | '編' | '篇' | '부' | '편' => Scheme::Part,
        '章' | '장' => Scheme::Chapter,
        '节' | '節' | '절' => Scheme::Section,
        '条' | '條' | '項' | '조' => Scheme::Clause,
        _ => return None,
    };
    let after = tail.get(mark.len_utf8()..)?;
    let blank = after.len() - after.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '、' | '.' | ':' | '：')).len();
    Some(Numbering { scheme, value: vec![number], lettered: false, len: text.len() - after.len() + blank })
}

/// "一、", "（二）", "（3）", "4．", "가."
fn listed_cjk(text: &str) -> Option<Numbering> {
    /// The syllables that Korean lists count with.
    const SYLLABLES: &str = "가나다라마바사아자차카타파하";
    let first = text.chars().next()?;
    if first.is_ascii() {
        // Full stops as wide as ideographs.
        let (value, used) = number_chain(text)?;
        let rest = text.get(used..)?.strip_prefix('．')?.trim_start();
        let short = value.len() == 1 && value.iter().all(|v| *v < 100) && !rest.starts_with(|c: char| c.is_numeric());
        return short.then(|| Numbering { scheme: Scheme::Decimal, value, lettered: false, len: text.len() - rest.len() });
    }
    if let Some(rest) = text.strip_prefix('（') {
        let (token, tail) = rest.split_once(['）', ')']).filter(|(token, _)| token.chars().count() <= 3)?;
        let scheme = if token.chars().all(|c| c.is_ascii_digit()) { Scheme::Bracketed } else { Scheme::BracketedIdeographic };
        return Some(Numbering {
            scheme,
            value: vec![cjk_number(token)?],
            lettered: false,
            len: text.len() - tail.trim_start().len(),
        });
    }
    if let Some(at) = SYLLABLES.chars().position(|s| s == first) {
        let tail = text.get(first.len_utf8()..)?.strip_prefix(['.', ')'])?;
        let rest = tail.trim_start();
        let apart = rest.len() < tail.len() || rest.is_empty();
        return apart.then(|| Numbering {
            scheme: Scheme::LowerLetter,
            value: vec![at as u32 + 1],
            lettered: true,
            len: text.len() - rest.len(),
        });
    }
    let end = text.find(|c| cjk_digit(c).is_none()).filter(|end| *end > 0)?;
    let tail = text.get(end..)?.strip_prefix('、')?;
    Some(Numbering {
        scheme: Scheme::Ideographic,
        value: vec![cjk_number(text.get(..end)?)?],
        lettered: false,
        len: text.len() - tail.trim_start().len(),
    })
}

fn cjk_digit(c: char) -> Option<u32> {
    "零一二三四五六七八九十百".chars().position(|d| d == c).map(|at| at as u32)
}

fn cjk_number(text: &str) -> Option<u32> {
    if let Ok(number) = text.parse::<u32>() {
        return Some(number);
    }
    let (mut total, mut digit) = (0u32, 0u32);
    for c in text.chars() {
        match cjk_digit(c)? {
            unit @ (10 | 11) => {
                total = total.checked_add(digit.max(1) * if unit == 10 { 10 } else { 100 })?;
                digit = 0;
            }
            d => digit = d,
        }
    }
    total.checked_add(digit).filter(|n| *n > 0)
}

/// "§ 12", "§§ 3".
fn clause_sign(text: &str) -> Option<Numbering> {
    let rest = text.strip_prefix('§')?.trim_start_matches('§').trim_start();
    let (value, used) = number_chain(rest)?;
    let tail = rest.get(used..)?;
    Some(Numbering { scheme: Scheme::Clause, value, lettered: false, len: text.len() - trim_separator(tail).len() })
}

/// "Chapter 4", "Item 7A.", "Part II".
fn keyword(text: &str) -> Option<Numbering> {
    let end = text.find(|c: char| !c.is_alphabetic())?;
    let word = text.get(..end).filter(|w| w.chars().count() >= 4 && w.len() <= 20)?;
    if !word.chars().next().is_some_and(char::is_uppercase) {
        return None;
    }
    let lower = word.to_lowercase();
    let scheme = KEYWORDS.iter().find(|(k, _)| *k == lower).map(|(_, s)| *s)?;
    let rest = text.get(end..)?.trim_start();
    let (value, used) = number_chain(rest).or_else(|| {
        let token = leading_token(rest);
        let number = roman(&token.to_ascii_lowercase()).or_else(|| letter(token)).or_else(|| spelled(token))?;
        Some((vec![number], token.len()))
    })?;
    let mut tail = rest.get(used..)?;
    // "Item 7A", "Item 1B": a letter glued to the number.
    let mut value = value;
    if let Some(c) = tail.chars().next().filter(char::is_ascii_uppercase) {
        let after = tail.get(1..)?;
        if !after.starts_with(char::is_alphanumeric) {
            value.push(c as u32 - 'A' as u32 + 1);
            tail = after;
        }
    }
    if tail.starts_with(char::is_alphanumeric) {
        return None;
    }
    let lettered = rest.starts_with(|c: char| c.is_ascii_alphabetic())
        && roman(&leading_token(rest).to_ascii_lowercase()).is_none_or(|_| leading_token(rest).len() == 1);
    Some(Numbering { scheme, value, lettered, len: text.len() - trim_separator(tail).len() })
}

/// "2.1 Title", "IV. Title", "B. Title", "(a) Title", "3) Title".
fn plain(text: &str) -> Option<Numbering> {
    if let Some(rest) = text.strip_prefix('(') {
        let close = rest.find(')').filter(|at| (1..=5).contains(at))?;
        let token = rest.get(..close)?;
        let (scheme, number) = match token.parse::<u32>() {
            Ok(number) => (Scheme::Bracketed, number),
            Err(_) => (Scheme::BracketedLetter, letter_or_roman(token)?),
        };
        let tail = rest.get(close + 1..)?;
        return Some(Numbering { scheme, value: vec![number], lettered: false, len: text.len() - trim_separator(tail).len() });
    }
    // "A.1.2", "3.1.": points join the parts.
    let head = leading_token(text);
    if head.is_empty() {
        return None;
    }
    let lettered = head.len() == 1 && head.starts_with(|c: char| c.is_ascii_uppercase());
    if lettered
        && let Some(rest) = text.get(1..).and_then(|r| r.strip_prefix('.'))
        && let Some((mut value, used)) = number_chain(rest)
    {
        value.insert(0, letter(head)?);
        return finish(text, Scheme::Decimal, value, 2 + used, false);
    }
    if let Some((value, used)) = number_chain(text) {
        // "3.1)" is a decimal number with a bracket after it, "3)" an item.
        let bracketed = value.len() == 1 && text.get(used..).is_some_and(|t| t.starts_with(')'));
        let scheme = if bracketed { Scheme::Bracketed } else { Scheme::Decimal };
        return finish(text, scheme, value, used, true);
    }
    let tail = text.get(head.len()..)?;
    if !tail.starts_with(['.', ')']) {
        // "A Title" is an article more often than numbering; "IV Title" is numbering.
        let number = (head.len() >= 2)
            .then(|| roman(&head.to_ascii_lowercase()))
            .flatten()
            .filter(|_| head.chars().all(|c| c.is_ascii_uppercase()))?;
        return finish(text, Scheme::UpperRoman, vec![number], head.len(), true);
    }
    let upper = head.chars().all(|c| c.is_ascii_uppercase());
    if !upper && !head.chars().all(|c| c.is_ascii_lowercase()) {
        return None;
    }
    // Alone, C, D, L and M are letters; I, V and X are roman numbers until a neighbour says otherwise (see `headings`).
    let as_roman =
        roman(&head.to_ascii_lowercase()).filter(|_| head.len() > 1 || matches!(head, "I" | "V" | "X" | "i" | "v" | "x"));
    let (scheme, number) = match (as_roman, upper) {
        (Some(n), true) => (Scheme::UpperRoman, n),
        (Some(n), false) => (Scheme::LowerRoman, n),
        (None, true) => (Scheme::UpperLetter, letter(head)?),
        (None, false) => (Scheme::LowerLetter, letter(head)?),
    };
    finish(text, scheme, vec![number], head.len() + 1, true)
}

/// The numbering when it is followed by a title (or nothing), and not by more digits or letters.
fn finish(text: &str, scheme: Scheme, value: Vec<u32>, used: usize, blank_needed: bool) -> Option<Numbering> {
    let tail = text.get(used..)?;
    let rest = trim_separator(tail);
    if blank_needed && rest.len() == tail.len() && !rest.is_empty() && !rest.starts_with(super::titles::is_ideographic) {
        return None;
    }
    // A number of more than three digits is a year or an amount.
    if value.iter().any(|v| *v > 999) {
        return None;
    }
    let lettered = text.starts_with(|c: char| c.is_ascii_alphabetic());
    Some(Numbering { scheme, value, lettered, len: text.len() - rest.len() })
}

/// Digits joined by points, at most six parts: the numbers and the bytes used (a closing point not included).
fn number_chain(text: &str) -> Option<(Vec<u32>, usize)> {
    let mut value = Vec::new();
    let mut used = 0;
    loop {
        let rest = text.get(used..)?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            // A point that no digit follows closes the chain.
            used = used.saturating_sub(1);
            break;
        }
        if digits > 4 || value.len() == 6 {
            return None;
        }
        value.push(rest.get(..digits)?.parse().ok()?);
        used += digits;
        if !text.get(used..)?.starts_with('.') {
            break;
        }
        used += 1;
    }
    if value.is_empty() { None } else { Some((value, used)) }
}

fn leading_token(text: &str) -> &str {
    let end = text.bytes().take_while(u8::is_ascii_alphanumeric).count();
    if end > 6 { "" } else { text.get(..end).unwrap_or_default() }
}

fn trim_separator(tail: &str) -> &str {
    let rest = tail.trim_start_matches(['.', ')', ':', '．', '、', '—', '–']);
    let trimmed = rest.trim_start();
    let dash = trimmed.trim_start_matches(['—', '–', '-', ':']);
    if dash.len() < trimmed.len() && dash.starts_with(char::is_whitespace) { dash.trim_start() } else { trimmed }
}

/// A number in words.
fn spelled(token: &str) -> Option<u32> {
    const WORDS: [&str; 12] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    WORDS.iter().position(|w| w.eq_ignore_ascii_case(token)).map(|at| at as u32 + 1)
}

fn letter(token: &str) -> Option<u32> {
    let mut chars = token.chars();
    let c = chars.next().filter(char::is_ascii_alphabetic)?;
    if chars.next().is_some() {
        return None;
    }
    Some(c.to_ascii_lowercase() as u32 - 'a' as u32 + 1)
}

fn letter_or_roman(token: &str) -> Option<u32> {
    letter(token).or_else(|| roman(&token.to_ascii_lowercase()))
}

/// A roman number in lower case, 1 to 399.
pub(super) fn roman(token: &str) -> Option<u32> {
    const PARTS: [(&str, u32); 9] =
        [("c", 100), ("xc", 90), ("l", 50), ("xl", 40), ("x", 10), ("ix", 9), ("v", 5), ("iv", 4), ("i", 1)];
    if token.is_empty() || token.len() > 10 {
        return None;
    }
    let (mut rest, mut total) = (token, 0);
    for (part, worth) in PARTS {
        let most = if matches!(part, "c" | "x" | "i") { 3 } else { 1 };
        for _ in 0..most {
            let Some(tail) = rest.strip_prefix(part) else { break };
            rest = tail;
            total += worth;
        }
    }
    rest.is_empty().then_some(total)
}
