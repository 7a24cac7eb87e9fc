//! Characters without an agreed meaning: Adobe's private-use names, and the codes of Symbol and the dingbat fonts.

/// The fonts whose private-use codes are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SymbolFont {
    /// Letters, as far as the codes tell.
    None,
    Symbol,
    Wingdings,
    Wingdings2,
    Wingdings3,
    Webdings,
    /// Pictures of another kind.
    Pictures,
    /// Parts of formulas that are no characters: arrows over letters, long strokes.
    Strokes,
}

impl SymbolFont {
    /// By the font's name, without the subset prefix.
    pub(super) fn named(name: &str) -> Self {
        let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
        match name.as_str() {
            n if n.contains("wingdings2") => Self::Wingdings2,
            n if n.contains("wingdings3") => Self::Wingdings3,
            n if n.contains("wingdings") => Self::Wingdings,
            n if n.contains("webdings") => Self::Webdings,
            n if n.starts_with("symbol") => Self::Symbol,
            n if ["fontawesome", "materialicons", "glyphicons", "icomoon"].iter().any(|f| n.contains(f)) => Self::Pictures,
            n if n.contains("mtextra") || n.contains("euclidextra") => Self::Strokes,
            _ => Self::None,
        }
    }

    /// Whether its codes, whatever letters they are elsewhere, are pictures.
    pub(super) fn is_of_dingbats(self) -> bool {
        matches!(self, Self::Wingdings | Self::Wingdings2 | Self::Wingdings3 | Self::Webdings)
    }

    /// What a character that such a font gave stands for.
    pub(super) fn meaning(self, c: char) -> char {
        let code = match u32::from(c) {
            code @ 0xF020..=0xF0FF => code - 0xF000,
            code @ 0x21..=0xFF if self.is_of_dingbats() => code,
            0xE000..=0xF8FF if self == Self::Pictures => return '•',
            _ => return of_adobe(c).unwrap_or(c),
        };
        // A byte by the masks above.
        let byte = u8::try_from(code).unwrap_or(b'?');
        match self {
            Self::None => latin(byte).unwrap_or(c),
            Self::Symbol => symbol(byte).unwrap_or(c),
            Self::Wingdings => wingding(byte),
            Self::Wingdings2 => find(&WINGDINGS_2, byte).unwrap_or('•'),
            Self::Wingdings3 => find(&WINGDINGS_3, byte).unwrap_or('•'),
            Self::Webdings => find(&WEBDINGS, byte).unwrap_or('•'),
            Self::Pictures => '•',
            // Left out of the text.
            Self::Strokes => '\u{200B}',
        }
    }
}

/// A code of a font whose letters were put into the private-use area. What is no ASCII there is more often a sign that a word processor
/// meant for Wingdings or Symbol and set in the font of the text.
fn latin(byte: u8) -> Option<char> {
    match byte {
        0xB7 | 0xA7 => Some('•'),
        0x20..=0x7E => Some(char::from(byte)),
        0xA1..=0xFF => find(&WINGDINGS, byte).or(Some(char::from(byte))),
        _ => None,
    }
}

/// Adobe's names for variants of letters, digits and signs, and for the parts of large brackets ("corporate use" of the glyph list).
fn of_adobe(c: char) -> Option<char> {
    let code = u32::from(c);
    let shifted = |to: u32| char::from_u32(to);
    match code {
        // Small capitals: the eye sees capitals.
        0xF761..=0xF77A => shifted(code - 0xF761 + 0x41),
        0xF7E0..=0xF7F6 | 0xF7F8..=0xF7FE => shifted(code - 0xF7E0 + 0xC0),
        0xF7FF => Some('Ÿ'),
        // Old-style figures and signs.
        0xF721 | 0xF724 | 0xF726 | 0xF730..=0xF739 | 0xF73F | 0xF7A1 | 0xF7A2 | 0xF7BF => shifted(code - 0xF700),
        0xF6DC => Some('1'),
        0xF6D9 | 0xF8E9 => Some('©'),
        0xF6DA | 0xF8E8 => Some('®'),
        0xF6DB | 0xF8EA => Some('™'),
        0xF8E6 => Some('⏐'),
        0xF8E7 => Some('⎯'),
        0xF8EB..=0xF8ED => shifted(code - 0xF8EB + 0x239B),
        0xF8EE..=0xF8F0 => shifted(code - 0xF8EE + 0x23A1),
        0xF8F1..=0xF8F4 => shifted(code - 0xF8F1 + 0x23A7),
        0xF8F5 => Some('⎮'),
        0xF8F6..=0xF8F8 => shifted(code - 0xF8F6 + 0x239E),
        0xF8F9..=0xF8FB => shifted(code - 0xF8F9 + 0x23A4),
        0xF8FC..=0xF8FE => shifted(code - 0xF8FC + 0x23AB),
        _ => None,
    }
}

/// The Symbol encoding (ISO 32000, annex D.5).
fn symbol(byte: u8) -> Option<char> {
    const LOW: &str = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_ αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼";
    const HIGH: &str = "ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭";
    match byte {
        0x20..=0x7E => LOW.chars().nth(usize::from(byte - 0x20)),
        0xA0 => Some('€'),
        0xA1..=0xFE => HIGH.chars().nth(usize::from(byte - 0xA1)),
        _ => None,
    }
}

fn wingding(byte: u8) -> char {
    match byte {
        // Figures in circles.
        0x80..=0x8A => find(&[(0x80, '⓪')], byte).or_else(|| char::from_u32(0x2460 + u32::from(byte) - 0x81)),
        0x8B..=0x95 => find(&[(0x8B, '⓿')], byte).or_else(|| char::from_u32(0x2776 + u32::from(byte) - 0x8C)),
        _ => find(&WINGDINGS, byte),
    }
    .unwrap_or('•')
}

fn find(table: &[(u8, char)], byte: u8) -> Option<char> {
    table.iter().find(|(code, _)| *code == byte).map(|(_, c)| *c)
}

/// Those of Wingdings that stand in documents; all others are read as a bullet.
const WINGDINGS: [(u8, char); 51] = [
    (0x20, ' '),
    (0x28, '☎'),
    (0x29, '✆'),
    (0x2A, '✉'),
    (0x36, '⌛'),
    (0x3F, '✍'),
    (0x45, '☜'),
    (0x46, '☞'),
    (0x47, '☝'),
    (0x48, '☟'),
    (0x4A, '☺'),
    (0x4C, '☹'),
    (0x6C, '●'),
    (0x6D, '❍'),
    (0x6E, '■'),
    (0x6F, '□'),
    (0x71, '❑'),
    (0x72, '❒'),
    (0x73, '⬧'),
    (0x74, '⧫'),
    (0x75, '◆'),
    (0x76, '❖'),
    (0x77, '⬥'),
    (0x78, '☒'),
    (0x9E, '·'),
    (0x9F, '•'),
    (0xA1, '○'),
    (0xA4, '◉'),
    (0xA5, '◎'),
    (0xA7, '▪'),
    (0xA8, '☐'),
    (0xAB, '★'),
    (0xD8, '➢'),
    (0xDB, '➲'),
    (0xDC, '➪'),
    (0xDF, '←'),
    (0xE0, '→'),
    (0xE1, '↑'),
    (0xE2, '↓'),
    (0xE7, '🡄'),
    (0xE8, '➔'),
    (0xE9, '🡅'),
    (0xEA, '🡇'),
    (0xEF, '⇦'),
    (0xF0, '⇨'),
    (0xF1, '⇧'),
    (0xF2, '⇩'),
    (0xFB, '✗'),
    (0xFC, '✓'),
    (0xFD, '☒'),
    (0xFE, '☑'),
];

const WINGDINGS_2: [(u8, char); 12] = [
    (0x20, ' '),
    (0x4F, '✗'),
    (0x50, '✓'),
    (0x51, '☒'),
    (0x52, '☑'),
    (0x53, '☒'),
    (0x54, '☒'),
    (0x97, '●'),
    (0x98, '●'),
    (0xA2, '■'),
    (0xA3, '☐'),
    (0xA6, '☐'),
];

const WINGDINGS_3: [(u8, char); 9] =
    [(0x20, ' '), (0x66, '→'), (0x67, '↑'), (0x68, '↓'), (0x70, '▲'), (0x71, '▼'), (0x74, '◀'), (0x75, '▶'), (0x7D, '▶')];

const WEBDINGS: [(u8, char); 9] =
    [(0x20, ' '), (0x33, '◀'), (0x34, '▶'), (0x35, '▲'), (0x36, '▼'), (0x61, '✓'), (0x63, '□'), (0x67, '■'), (0x72, '✗')];

#[cfg(test)]
mod tests {
    use super::SymbolFont;

    #[test]
    fn fonts_by_name() {
        assert_eq!(SymbolFont::named("Wingdings-Regular"), SymbolFont::Wingdings);
        assert_eq!(SymbolFont::named("Wingdings 2"), SymbolFont::Wingdings2);
        assert_eq!(SymbolFont::named("SymbolMT"), SymbolFont::Symbol);
        assert_eq!(SymbolFont::named("Arial"), SymbolFont::None);
    }

    #[test]
    fn private_codes_by_font() {
        assert_eq!(SymbolFont::Wingdings.meaning('\u{F0FC}'), '✓');
        assert_eq!(SymbolFont::Wingdings.meaning('§'), '▪');
        assert_eq!(SymbolFont::Wingdings.meaning('\u{F083}'), '③');
        assert_eq!(SymbolFont::Wingdings.meaning('✓'), '✓');
        assert_eq!(SymbolFont::Wingdings2.meaning('R'), '☑');
        assert_eq!(SymbolFont::Symbol.meaning('\u{F061}'), 'α');
        assert_eq!(SymbolFont::Symbol.meaning('\u{F0B7}'), '•');
        assert_eq!(SymbolFont::Symbol.meaning('\u{F0B3}'), '≥');
        assert_eq!(SymbolFont::Symbol.meaning('\u{F0FD}'), '⎬');
        assert_eq!(SymbolFont::None.meaning('\u{F0B7}'), '•');
        assert_eq!(SymbolFont::None.meaning('\u{F041}'), 'A');
        assert_eq!(SymbolFont::None.meaning('\u{F0A8}'), '☐');
        assert_eq!(SymbolFont::Strokes.meaning('\u{F076}'), '\u{200B}');
        assert_eq!(SymbolFont::None.meaning('\u{F761}'), 'A');
        assert_eq!(SymbolFont::None.meaning('\u{F733}'), '3');
        assert_eq!(SymbolFont::None.meaning('\u{F8EB}'), '⎛');
        assert_eq!(SymbolFont::None.meaning('\u{F8FE}'), '⎭');
        assert_eq!(SymbolFont::None.meaning('x'), 'x');
    }
}
