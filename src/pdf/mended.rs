//! Titles that programs damaged: UTF-8 read as Latin letters, HTML entities.

/// Signs of Windows-1252 in 0x80 to 0x9F, which stand where Latin-1 has control characters.
const SIGNS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’', '“', '”',
    '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Longest entity, with `&` and `;`.
const ENTITY: usize = 10;

/// A title as its author wrote it, as far as that can be told.
pub(super) fn mended(title: String) -> String {
    let title = latin_undone(&title).unwrap_or(title);
    if title.contains('&') { without_entities(&title) } else { title }
}

/// The text behind one in which each byte of UTF-8 became a character of its own ("Ã©" for "é"). Real text in Latin letters is no valid
/// UTF-8 when its characters are taken as bytes.
fn latin_undone(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let bytes: Vec<u8> = text.chars().map(byte_of).collect::<Option<_>>()?;
    String::from_utf8(bytes).ok()
}

fn byte_of(c: char) -> Option<u8> {
    let sign = || SIGNS.iter().position(|sign| *sign == c).and_then(|at| u8::try_from(at + 0x80).ok());
    u8::try_from(u32::from(c)).ok().or_else(sign)
}

/// The text with the entities that titles have ("R&amp;D", "&#8211;") written out; others stay as they are.
fn without_entities(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        match after
            .split_once(';')
            .filter(|(name, _)| name.len() + 2 <= ENTITY)
            .and_then(|(name, after)| Some((entity(name)?, after)))
        {
            Some((c, after)) => {
                out.push(c);
                rest = after;
            }
            None => {
                out.push('&');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

fn entity(name: &str) -> Option<char> {
    let number = |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32).filter(|c| !c.is_control());
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        "ndash" => Some('–'),
        "mdash" => Some('—'),
        "lsquo" => Some('‘'),
        "rsquo" => Some('’'),
        "ldquo" => Some('“'),
        "rdquo" => Some('”'),
        "auml" => Some('ä'),
        "ouml" => Some('ö'),
        "uuml" => Some('ü'),
        "Auml" => Some('Ä'),
        "Ouml" => Some('Ö'),
        "Uuml" => Some('Ü'),
        "szlig" => Some('ß'),
        "eacute" => Some('é'),
        _ => match name.strip_prefix('#')? {
            hex if hex.starts_with(['x', 'X']) => number(hex.get(1..)?, 16),
            digits => number(digits, 10),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_were_bytes() {
        for (damaged, sound) in
            [("RÃ©sumÃ©", "Résumé"), ("Ãœbersicht", "Übersicht"), ("risks â€“ and", "risks – and"), ("Ð´Ð¾Ð¼", "дом")]
        {
            assert_eq!(mended(damaged.to_owned()), sound);
        }
        for sound in ["Café", "Übersicht", "Plain", "São Tomé", "naïve – text", "要旨"] {
            assert_eq!(mended(sound.to_owned()), sound);
        }
    }

    #[test]
    fn entities_are_written_out() {
        assert_eq!(mended("R&amp;D &#8211; &#xe9;t&eacute; &lt;T&gt;".to_owned()), "R&D – été <T>");
        for kept in ["R&D; more", "A & B", "&unknown;", "&#0;", "&#xfffffff;", "&"] {
            assert_eq!(mended(kept.to_owned()), kept);
        }
    }
}
