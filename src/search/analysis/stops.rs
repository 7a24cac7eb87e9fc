//! Words that say nothing about what a text is about.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use super::language::Language;

/// The small words of a language: left out of the index and of questions. English keeps those that are also abbreviations or names
/// (`it`, `us`, `who`, `may`, `will`).
const SMALL: &[(Language, &str)] = &[
    (
        Language::English,
        "the of and a an to in is for on with as by at that this or be are was were been from has have had which its their these those \
         such into than also",
    ),
    (
        Language::German,
        "der die das den dem des und in zu mit von für auf ist im ein eine einer eines einem einen nicht sich auch es an als werden aus \
         wird bei oder nach sind dass zum zur durch über",
    ),
    (
        Language::French,
        "le la les de des du et en un une dans est pour que qui sur par au aux avec ce ces il ne pas plus son sa ses ou sont cette leur d l",
    ),
    (
        Language::Spanish,
        "el la los las de del y en un una que es por para con al se su sus lo como más no o este esta son entre ha",
    ),
    (
        Language::Italian,
        "il lo la i gli le di del della dei delle e in un una che è per con al alla si su non da dal nel nella sono come più",
    ),
    (Language::Portuguese, "o os as de do da dos das e em um uma que é para com ao no na nos nas se por não mais como são à foi"),
    (
        Language::Dutch,
        "de het een en van in is op te dat die voor met zijn aan niet er om ook als door bij naar uit deze wordt worden of",
    ),
    (Language::Swedish, "och i att det som en på är av för med den till ett har de inte om vid från eller kan ska var"),
    (Language::Danish, "og i at det som en på er af for med den til et har de ikke om ved fra eller kan skal blev"),
    (Language::Norwegian, "og i at det som en på er av for med den til et har de ikke om ved fra eller kan skal ble"),
    (
        Language::Russian,
        "и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было от из для это",
    ),
    (Language::Greek, "και το του της η ο να με για την τα οι στο στη από τον των σε που ότι είναι"),
    (Language::Arabic, "في من على إلى أن عن هذا هذه التي الذي كان ما لا مع"),
];

/// Words of a question that ask rather than say what is asked for: left out of questions only.
const ASKING: &[(Language, &str)] = &[
    (
        Language::English,
        "what which who whom whose when where why how does did do done is are was were can could would should will shall may might must \
         i me my we us our you your it they them he she if then there here so but about any some each per much many more most \
         please between among during both either",
    ),
    (
        Language::German,
        "was wer wem wen wie wo wann warum welche welcher welches welchem welchen wieviel viele hat haben war waren bitte",
    ),
    (Language::French, "quel quelle quels quelles quoi comment combien où quand pourquoi a été était sont"),
    (Language::Spanish, "qué cuál cuáles quién cómo cuánto cuántos cuánta cuántas dónde cuándo fue fueron"),
    (Language::Italian, "quale quali chi cosa come quanto quanti quanta dove quando perché era"),
    (Language::Portuguese, "qual quais quem como quanto quantos onde quando porque foi eram"),
    (Language::Dutch, "wat wie hoe waar wanneer waarom welke welk hoeveel was waren"),
];

/// Words that say how to answer, or point at the document as such: they count little in a question.
const WEAK: &[(Language, &str)] = &[
    (
        Language::English,
        "give tell show find list name describe explain state answer answers question questions response respond according based base \
         basing calculate calculated compute computing round rounded decimal decimals place places units want help using use used only \
         rely relying detail details provide provided information primarily address approach assume assuming access judgment judgments \
         standpoint perspective analyst metric relevant useful mention mentioned document documents report page pages following like \
         one two value figure figures defined exact specific respectively company inc corp corporation ltd llc plc n na available data \
         year month date day",
    ),
    (Language::German, "nenne sagt laut gib zeige liste dokument bericht seite seiten"),
    (Language::French, "selon donner indiquer citer document rapport page pages"),
    (Language::Spanish, "según indique documento informe página páginas"),
];

fn table(lists: &'static [(Language, &'static str)]) -> HashMap<Language, HashSet<&'static str>> {
    lists.iter().map(|(language, words)| (*language, words.split_whitespace().collect())).collect()
}

/// Whether the index leaves this folded word out.
pub fn is_small(language: Language, word: &str) -> bool {
    static TABLE: OnceLock<HashMap<Language, HashSet<&'static str>>> = OnceLock::new();
    TABLE.get_or_init(|| table(SMALL)).get(&language).is_some_and(|words| words.contains(word))
}

/// Whether a question can do without this folded word.
pub fn is_asking(language: Language, word: &str) -> bool {
    static TABLE: OnceLock<HashMap<Language, HashSet<&'static str>>> = OnceLock::new();
    TABLE.get_or_init(|| table(ASKING)).get(&language).is_some_and(|words| words.contains(word))
}

/// Whether this folded word of a question counts little.
pub fn is_weak(language: Language, word: &str) -> bool {
    static TABLE: OnceLock<HashMap<Language, HashSet<&'static str>>> = OnceLock::new();
    TABLE.get_or_init(|| table(WEAK)).get(&language).is_some_and(|words| words.contains(word))
}

/// The languages that have this as a small word.
pub fn small_words() -> &'static HashMap<&'static str, Vec<Language>> {
    static TABLE: OnceLock<HashMap<&'static str, Vec<Language>>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut words: HashMap<&'static str, Vec<Language>> = HashMap::new();
        for (language, list) in SMALL {
            for word in list.split_whitespace() {
                words.entry(word).or_default().push(*language);
            }
        }
        words
    })
}
