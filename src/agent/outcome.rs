//! What an answer amounts to: an answer, an honest "the documents do not say it", claims without citations.

use super::citations::{self, Place, Tags};
use super::types::Outcome;

/// Letters up to which an answer without citations can be a "not found" by its words alone.
const SHORT: usize = 700;

/// Words that say that the documents do not say it, folded.
const PHRASES: &[&str] = &[
    "not found",
    "not mentioned",
    "not stated",
    "not disclosed",
    "not provided",
    "not specified",
    "not available in",
    "not contained",
    "not included in",
    "not reported",
    "not given",
    "not covered",
    "not answerable",
    "not in the document",
    "not in the library",
    "not discussed",
    "not addressed",
    "not listed",
    "not present in",
    "not appear",
    "does not say",
    "do not say",
    "does not state",
    "do not state",
    "does not mention",
    "do not mention",
    "does not contain",
    "do not contain",
    "does not provide",
    "do not provide",
    "does not specify",
    "do not specify",
    "does not include",
    "do not include",
    "does not disclose",
    "do not disclose",
    "does not report",
    "do not report",
    "does not give",
    "do not give",
    "does not address",
    "does not cover",
    "do not cover",
    "doesn't say",
    "doesn't state",
    "doesn't mention",
    "doesn't contain",
    "doesn't provide",
    "doesn't specify",
    "doesn't include",
    "don't say",
    "don't mention",
    "don't contain",
    "don't provide",
    "no information",
    "no mention",
    "no answer",
    "no reference to",
    "could not find",
    "couldn't find",
    "unable to find",
    "cannot find",
    "can't find",
    "did not find",
    "didn't find",
    "found nothing",
    "found no",
    "cannot be answered",
    "cannot be determined",
    "cannot answer",
    "unable to answer",
    "nicht gefunden",
    "nicht finden",
    "nicht enthalten",
    "nicht erwähnt",
    "nicht angegeben",
    "nicht genannt",
    "keine angabe",
    "keine information",
    "keine antwort",
    "steht nicht",
    "geht nicht hervor",
    "nicht beantworte",
    "ne mentionne",
    "ne précise",
    "ne contien",
    "ne figure pas",
    "n'est pas mentionné",
    "n'indique",
    "ne fournit",
    "ne dit pas",
    "aucune information",
    "aucune mention",
    "pas trouvé",
    "no menciona",
    "no contiene",
    "no se menciona",
    "no se indica",
    "no especifica",
    "no encontr",
    "ninguna información",
    "no hay información",
    "no proporciona",
    "no aparece",
    "non menziona",
    "non contiene",
    "non specifica",
    "nessuna informazione",
    "non ho trovato",
    "não menciona",
    "não contém",
    "não encontr",
    "nenhuma informação",
    "niet gevonden",
    "niet vermeld",
    "geen informatie",
    "staat niet",
];

/// The same in scripts without spaces.
const PHRASES_CJK: &[&str] = &[
    "未提及",
    "没有提到",
    "没有提及",
    "未找到",
    "没有找到",
    "找不到",
    "未说明",
    "没有说明",
    "記載されていません",
    "記載がありません",
    "見つかりません",
    "言及されていません",
    "찾을 수 없",
    "언급되지 않",
];

/// Whether the answer says that the documents do not say it: by the tag at its beginning (or anywhere, when nothing is cited), else by its
/// words when it is short and cites nothing.
pub(super) fn says_not_found(raw: &str, tags: Tags) -> bool {
    match tags.not_found {
        Some(Place::Beginning) => return true,
        Some(Place::Later) => return tags.citations == 0,
        None => {}
    }
    if tags.citations > 0 || raw.chars().filter(|c| c.is_alphanumeric()).count() > SHORT {
        return false;
    }
    let folded = citations::folded(raw).replace(['\n', '*', '_'], " ");
    PHRASES.iter().chain(PHRASES_CJK).any(|p| folded.contains(p))
}

/// The outcome of an accepted answer.
pub(super) fn of(raw: &str) -> Outcome {
    if says_not_found(raw, citations::tags(raw)) { Outcome::NotFound } else { Outcome::Answered }
}

/// Whether a text claims something: it is no question back, and has a figure or some words.
pub(super) fn has_claims(shown: &str) -> bool {
    let asks_back = shown.trim_end().trim_end_matches(['*', '_', ')', '"']).ends_with(['?', '？']);
    !asks_back
        && (has_figure(shown) || shown.split_whitespace().count() >= 5 || shown.chars().filter(|c| !c.is_ascii()).count() >= 12)
}

/// Whether a text has a digit.
pub(super) fn has_figure(shown: &str) -> bool {
    shown.chars().any(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn not_found_by_tag_or_by_words() {
        for text in [
            "<not-found/>",
            "<not-found/> The report gives revenue only [a.pdf, p. 3].",
            "I looked in the notes. <not_found />",
            "The documents do not mention a dividend.",
            "I couldn\u{2019}t find this in the report.",
            "Die Dokumente enthalten dazu keine Angaben.",
            "Le rapport ne mentionne pas ce chiffre.",
            "El informe no menciona este dato.",
            "文件中未提及此数字。",
        ] {
            assert_eq!(of(text), Outcome::NotFound, "{text}");
        }
    }

    #[test]
    fn an_answer_is_an_answer() {
        for text in [
            "Revenue was $5 million [a.pdf, p. 3].",
            "The notes do not mention it, but page 3 does: 5 million <cite doc=\"a.pdf\" page=\"3\"/> <not-found/>",
            "Revenue was 5 million.",
        ] {
            assert_eq!(of(text), Outcome::Answered, "{text}");
        }
    }

    #[test]
    fn claims_are_told_from_questions_and_greetings() {
        assert!(has_claims("Revenue was 5."));
        assert!(has_claims("The company closed its plant in Ohio."));
        assert!(!has_claims("Which of the two annual reports of 2024 do you mean?"));
        assert!(!has_claims("You are welcome!"));
    }
}
