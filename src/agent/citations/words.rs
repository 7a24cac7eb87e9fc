//! The words that mean something to a reader of figures: scales, units, months, references. All lower case, as folding leaves them.

/// What is known of a scale word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scale {
    /// Power of ten.
    pub exponent: i32,
    /// Whether the word can mean something else (`m` is also metres), so that the plain reading stays open.
    pub unsure: bool,
}

/// The scale that a word stands for.
pub(super) fn scale_of(word: &str) -> Option<Scale> {
    let sure = |exponent| Some(Scale { exponent, unsure: false });
    let unsure = |exponent| Some(Scale { exponent, unsure: true });
    match word {
        "k" | "t" | "th" => unsure(3),
        "thousand" | "thousands" | "tsd" | "tausend" | "mille" | "milliers" | "miles" | "mila" | "teur" | "tusd" | "duizend"
        | "千" => sure(3),
        "lakh" | "lakhs" => sure(5),
        "m" | "mm" => unsure(6),
        "million" | "millions" | "mn" | "mln" | "mio" | "mill" | "millionen" | "millón" | "millones" | "milione" | "milioni"
        | "milhão" | "milhões" | "miljoen" | "meur" => sure(6),
        "crore" | "crores" => sure(7),
        "b" => unsure(9),
        "billion" | "billions" | "bn" | "bln" | "mrd" | "milliarde" | "milliarden" | "milliard" | "milliards" | "mds" | "md"
        | "miliardo" | "miliardi" | "bilhão" | "bilhões" | "miljard" => sure(9),
        "trillion" | "trillions" | "tn" | "trn" | "billionen" => sure(12),
        "万" | "萬" => sure(4),
        "億" | "亿" => sure(8),
        "兆" => sure(12),
        _ => None,
    }
}

/// Letters that may be glued to a figure without making a name of it (`5kg`, `2.5x`).
pub(super) fn is_unit(word: &str) -> bool {
    matches!(
        word,
        "x" | "bps"
            | "bp"
            | "pp"
            | "pt"
            | "pts"
            | "kg"
            | "g"
            | "mg"
            | "km"
            | "cm"
            | "ml"
            | "l"
            | "kb"
            | "mb"
            | "gb"
            | "tb"
            | "kw"
            | "mw"
            | "gw"
            | "kwh"
            | "mwh"
            | "gwh"
            | "twh"
            | "v"
            | "kv"
            | "w"
            | "hz"
            | "khz"
            | "mhz"
            | "ghz"
            | "ms"
            | "h"
            | "min"
            | "mins"
            | "hr"
            | "hrs"
            | "yr"
            | "yrs"
            | "nm"
            | "µm"
            | "μm"
            | "pa"
            | "kpa"
            | "mpa"
            | "bar"
            | "psi"
            | "eur"
            | "usd"
            | "gbp"
            | "chf"
            | "jpy"
            | "ft"
            | "lb"
            | "lbs"
            | "oz"
            | "rpm"
            | "dpi"
            | "db"
            | "ma"
            | "nom"
    )
}

/// Words that say "percent"; the second value is the shift of the decimal point against percent.
pub(super) fn percent_of(word: &str) -> Option<u32> {
    match word {
        "percent" | "percentage" | "pct" | "prozent" | "prozentpunkte" | "pourcent" | "procent" | "pp" | "ppt" => Some(0),
        "bps" | "bp" | "basispunkte" | "basispunkten" => Some(2),
        _ => None,
    }
}

/// Currencies that are told apart; words that share a letter here are one currency for the check.
pub(super) fn currency_of(word: &str) -> Option<char> {
    Some(match word {
        "usd" | "dollar" | "dollars" => '$',
        "eur" | "euro" | "euros" | "teur" | "meur" => '€',
        "gbp" | "pound" | "pounds" => '£',
        "jpy" | "yen" | "cny" | "rmb" | "yuan" => '¥',
        "inr" | "rupee" | "rupees" => '₹',
        "chf" => 'f',
        _ => return None,
    })
}

/// Currency signs.
pub(super) fn is_currency_sign(c: char) -> bool {
    matches!(c, '$' | '€' | '£' | '¥' | '₹' | '₩' | '₽' | '₺' | '₴' | '₫' | '₪' | '₱' | '฿' | '₦' | '¢')
}

/// The month (1-12) of an English, German, French, Spanish, Italian, Portuguese or Dutch month name.
pub(super) fn month_of(word: &str) -> Option<u8> {
    const MONTHS: [&[&str]; 12] = [
        &["january", "jan", "januar", "janvier", "janv", "enero", "gennaio", "janeiro", "januari"],
        &["february", "feb", "februar", "février", "févr", "febrero", "febbraio", "fevereiro", "februari"],
        &["march", "mar", "märz", "mars", "marzo", "março", "maart"],
        &["april", "apr", "avril", "abril", "aprile"],
        &["may", "mai", "mayo", "maggio", "maio", "mei"],
        &["june", "jun", "juni", "juin", "junio", "giugno", "junho"],
        &["july", "jul", "juli", "juillet", "julio", "luglio", "julho"],
        &["august", "aug", "août", "agosto", "augustus"],
        &["september", "sep", "sept", "septembre", "septiembre", "settembre", "setembro"],
        &["october", "oct", "oktober", "okt", "octobre", "octubre", "ottobre", "outubro"],
        &["november", "nov", "novembre", "noviembre", "novembro"],
        &["december", "dec", "dezember", "dez", "décembre", "déc", "diciembre", "dicembre", "dezembro"],
    ];
    MONTHS.iter().zip(1u8..).find(|(names, _)| names.contains(&word)).map(|(_, month)| month)
}

/// Words before a number that make it a page reference.
pub(super) fn is_page_word(word: &str) -> bool {
    matches!(
        word,
        "page"
            | "pages"
            | "p"
            | "pp"
            | "pg"
            | "pgs"
            | "seite"
            | "seiten"
            | "página"
            | "páginas"
            | "pág"
            | "págs"
            | "pagina"
            | "pagine"
            | "pag"
    )
}

/// Words before a number that make it the number of a part of the document, in one spelling for both numbers of grammar.
pub(super) fn reference_of(word: &str) -> Option<&'static str> {
    Some(match word {
        "note" | "notes" | "nota" | "notas" | "anmerkung" => "note",
        "table" | "tables" | "tabelle" | "tableau" | "tabla" | "tabela" | "tabella" => "table",
        "figure" | "figures" | "fig" | "figs" | "abbildung" | "abb" | "figura" => "figure",
        "section" | "sections" | "sec" | "abschnitt" | "sección" | "seção" => "section",
        "chapter" | "chapters" | "kapitel" | "chapitre" | "capítulo" | "capitolo" => "chapter",
        "article" | "articles" | "art" | "artikel" | "artículo" | "artigo" | "articolo" => "article",
        "item" | "items" => "item",
        "exhibit" | "exhibits" => "exhibit",
        "appendix" | "annex" | "anhang" | "annexe" | "anexo" => "appendix",
        "part" | "parts" | "teil" | "partie" => "part",
        "rule" | "rules" => "rule",
        "schedule" | "schedules" => "schedule",
        "clause" | "clauses" | "paragraph" | "paragraphs" | "absatz" | "abs" => "paragraph",
        _ => return None,
    })
}

/// Words that say that a figure is rounded.
pub(super) fn is_about(word: &str) -> bool {
    matches!(
        word,
        "about"
            | "approximately"
            | "approx"
            | "around"
            | "roughly"
            | "nearly"
            | "almost"
            | "some"
            | "circa"
            | "ca"
            | "over"
            | "than"
            | "exceeding"
            | "rund"
            | "etwa"
            | "knapp"
            | "über"
            | "fast"
            | "environ"
            | "près"
            | "presque"
            | "plus"
            | "aproximadamente"
            | "cerca"
            | "casi"
            | "unos"
            | "quasi"
            | "ongeveer"
            | "bijna"
    )
}

/// Words (their beginnings) that say that a figure without a sign is below zero: a loss or a fall.
pub(super) fn is_fall_word(word: &str) -> bool {
    const BEGINNINGS: &str = "loss losses lost decreas declin fell fall down drop lower reduc negativ minus deficit outflow shrink shrank worse \
        verlust rückg rueckg sank gesunk fiel fehlbetrag abnahm perte baiss dimin recul défic pérdid descen dismin caíd perdit calo prejuí \
        verlies daling";
    BEGINNINGS.split_whitespace().any(|b| word.starts_with(b))
}

/// Words (their beginnings) for what tables subtract and print in parentheses: costs, payments, taxes.
pub(super) fn is_cost_word(word: &str) -> bool {
    const BEGINNINGS: &str = "cost expens charge tax interest paid payment payout dividend repurchas buyback purchas invest acqui repay repaid \
        amorti deprecia impair write provision restructur deduct eliminat spent spend outlay used capital treasury liabilit aufwand aufwend \
        kosten steuer coste gasto impôt";
    BEGINNINGS.split_whitespace().any(|b| word.starts_with(b))
}

/// Words too common to be the label of a figure.
pub(super) fn is_small_word(word: &str) -> bool {
    word.chars().count() < 3
        || matches!(
            word,
            "the"
                | "and"
                | "for"
                | "was"
                | "were"
                | "are"
                | "has"
                | "had"
                | "its"
                | "our"
                | "per"
                | "from"
                | "with"
                | "that"
                | "this"
                | "than"
                | "over"
                | "der"
                | "die"
                | "das"
                | "und"
                | "von"
                | "les"
                | "des"
                | "une"
                | "est"
                | "los"
                | "las"
                | "del"
                | "una"
                | "year"
                | "years"
        )
}

/// The value of an English number word below twenty, or of a small one in German, French or Spanish; tens are told by the flag.
pub(super) fn number_word(word: &str) -> Option<(u32, bool)> {
    let value = match word {
        "two" | "zwei" | "deux" | "dos" => 2,
        "three" | "drei" | "trois" | "tres" => 3,
        "four" | "vier" | "quatre" | "cuatro" => 4,
        "five" | "fünf" | "cinq" | "cinco" => 5,
        "six" | "sechs" | "seis" => 6,
        "seven" | "sieben" | "sept" | "siete" => 7,
        "eight" | "acht" | "huit" | "ocho" => 8,
        "nine" | "neun" | "neuf" | "nueve" => 9,
        "ten" | "zehn" | "dix" | "diez" => 10,
        // Not the Spanish "once": on an English page it is no number.
        "eleven" | "elf" | "onze" => 11,
        "twelve" | "zwölf" | "douze" | "doce" => 12,
        "one" | "ein" | "eine" | "un" | "uno" => 1,
        "thirteen" => 13,
        "fourteen" => 14,
        "fifteen" => 15,
        "sixteen" => 16,
        "seventeen" => 17,
        "eighteen" => 18,
        "nineteen" => 19,
        "twenty" => return Some((20, true)),
        "thirty" => return Some((30, true)),
        "forty" => return Some((40, true)),
        "fifty" => return Some((50, true)),
        "sixty" => return Some((60, true)),
        "seventy" => return Some((70, true)),
        "eighty" => return Some((80, true)),
        "ninety" => return Some((90, true)),
        _ => return None,
    };
    Some((value, false))
}

/// Words of a sentence that computes: without one of them a figure that stands on no page is not taken for a computed one.
pub(super) fn is_computing_word(word: &str) -> bool {
    const BEGINNINGS: &str = "differ increas decreas chang grew grow rose rise fell declin narrow widen improv combin averag comput calculat \
        divid compare unterschied differenz zunahm anstieg rückgang summe anteil gestieg hausse baisse augment aument diferenc diminu croiss \
        percent";
    matches!(
        word,
        "higher"
            | "lower"
            | "more"
            | "less"
            | "up"
            | "down"
            | "total"
            | "totals"
            | "sum"
            | "together"
            | "ratio"
            | "margin"
            | "share"
            | "times"
            | "mean"
            | "minus"
            | "plus"
            | "per"
            | "versus"
            | "vs"
            | "net"
            | "gain"
            | "x"
    ) || BEGINNINGS.split_whitespace().any(|b| word.starts_with(b))
}
