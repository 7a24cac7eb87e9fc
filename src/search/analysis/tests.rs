use super::*;

fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    scan(text, &mut |piece| match piece {
        Piece::Word { text, .. } => found.push(text.to_owned()),
        Piece::LineEnd => found.push("/".to_owned()),
    });
    found
}

fn stems(language: Language, text: &str) -> Vec<String> {
    let mut analyzer = Analyzer::new(language);
    analyzer.terms(text).iter().map(|term| analyzer.stem(term.index).to_owned()).collect()
}

#[test]
fn words_are_cut_and_folded() {
    assert_eq!(words("Disney's Q1-FY25 (non-GAAP)"), ["disney", "s", "q1", "fy25", "non", "gaap"]);
    assert_eq!(words("U.S. e.g. J.P.Morgan SG&A R&D"), ["us", "eg", "jp", "morgan", "sg&a", "r&d"]);
    assert_eq!(words("ﬁnancial\nＡＢＣ"), ["financial", "/", "abc"]);
    assert_eq!(words("reve-\nnue long-\n  Term"), ["reve", "revenue", "nue", "/", "long", "/", "term"]);
}

#[test]
fn numbers_have_one_form() {
    assert_eq!(words("1,577 1,577.00 1577 (53) $24.70 27.8%"), ["1577", "1577", "1577", "53", "24.7", "27.8"]);
    assert_eq!(words("1.234.567,89 24,7 1.2.3 3,7,10 24.7m"), ["1234567.89", "24.7", "1.2.3", "3", "7", "10", "24.7", "m"]);
}

#[test]
fn scripts_without_spaces_give_pairs() {
    assert_eq!(words("東京都\n庁 2024年"), ["東京", "京都", "都庁", "庁", "2024", "年"]);
    assert_eq!(words("한국어 책"), ["한국", "국어", "어", "책"]);
}

#[test]
fn english_is_stemmed_and_small_words_go() {
    assert_eq!(stems(Language::English, "the quarterly earnings of the companies"), ["quarter", "earn", "compani"]);
    assert_eq!(stems(Language::English, "résumé"), stems(Language::English, "resume"));
}

#[test]
fn other_languages_have_their_own_stems() {
    assert_eq!(stems(Language::German, "die Umsätze des Jahres"), stems(Language::German, "Umsatz Jahr"));
    assert_eq!(stems(Language::French, "les résultats"), stems(Language::French, "résultat"));
}

#[test]
fn periods_share_a_word() {
    for text in ["Q3 FY25", "3Q25", "third quarter 2025", "Third-Quarter FY2025"] {
        let stems = stems(Language::English, text);
        assert!(stems.iter().any(|stem| stem == "q3"), "{text}: {stems:?}");
        assert!(stems.iter().any(|stem| stem == "2025"), "{text}: {stems:?}");
    }
}

#[test]
fn the_language_is_guessed_from_small_words() {
    let guess = |text: &str| Language::guess(std::iter::once(text));
    assert_eq!(guess("The committee met and the members voted on the proposal."), Language::English);
    assert_eq!(guess("Der Umsatz ist im Vergleich zu dem Vorjahr um zwei Prozent gestiegen."), Language::German);
    assert_eq!(guess("Le chiffre d'affaires est en hausse pour la société et les ventes."), Language::French);
    assert_eq!(guess("Выручка компании в этом году выросла на пять процентов"), Language::Russian);
    assert_eq!(guess("기초통신이론의 신호는 α와 β 그리고 γ로 쓴다. σ²의 값"), Language::English);
    assert_eq!(guess("12 34 56 total assets liabilities"), Language::English);
    assert_eq!(guess(""), Language::English);
}

#[test]
fn a_question_becomes_concepts_with_synonyms() {
    let query = Query::new("What was the total revenue in fiscal 2025?", &[Language::English]);
    let words = query.concepts.iter().filter(|concept| !concept.phrase);
    let own: Vec<&str> = words.map(|concept| concept.alternatives[0].stems[0].as_str()).collect();
    assert_eq!(own, ["total", "revenu", "fiscal", "2025"]);
    let revenue = &query.concepts[1];
    assert!(revenue.alternatives.iter().any(|other| other.stems == ["sale"] && other.weight < 1.0), "{revenue:?}");
    assert!(query.concepts[3].number);
}

#[test]
fn a_phrase_is_a_concept_beside_its_words() {
    let query = Query::new("capital expenditures of the group", &[Language::English]);
    let phrase = query.concepts.iter().find(|concept| concept.phrase).expect("a phrase");
    assert_eq!(phrase.alternatives[0].stems, ["capit", "expenditur"]);
    assert!(phrase.alternatives.iter().any(|other| other.stems.contains(&"properti".to_owned())));
}

#[test]
fn words_that_belong_together_in_the_question_are_a_phrase() {
    let phrases = |text: &str| -> Vec<Vec<String>> {
        let query = Query::new(text, &[Language::English]);
        query.concepts.iter().filter(|concept| concept.phrase).map(|concept| concept.alternatives[0].stems.clone()).collect()
    };
    assert_eq!(phrases("What does \"retail customer\" mean?"), [["retail", "custom"]]);
    assert_eq!(phrases("Which transfers does figure 5.1 show?"), [["figur", "5.1"]]);
    assert_eq!(phrases("When was the Harbor Ferry Line founded?"), [["harbor", "ferri", "line"]]);
    assert_eq!(phrases("WHEN WAS THE HARBOR FERRY FOUNDED"), [] as [Vec<String>; 0]);
    assert_eq!(phrases("an open \" quote"), [] as [Vec<String>; 0]);
}

#[test]
fn a_question_says_whether_it_wants_an_amount_and_which_page_it_means() {
    let request = |text: &str| Query::new(text, &[Language::English]).request;
    assert!(request("How much did it cost?").amount && request("Wie hoch war der Umsatz?").amount);
    assert!(!request("Who founded the club?").amount);
    assert_eq!(request("What is drawn on page 8?").pages, [8]);
    assert_eq!(request("Who is named on the first page or the cover?").pages, [1, 1]);
}

#[test]
fn only_the_sentence_that_asks_counts_in_full() {
    let query = Query::new("Mind the zebras. Where are lions? If tigers are missing, say so.", &[Language::English]);
    let weight =
        |stem: &str| query.concepts.iter().find(|concept| concept.alternatives[0].stems == [stem]).map(|concept| concept.weight);
    assert_eq!((weight("zebra"), weight("lion"), weight("tiger")), (Some(0.5), Some(1.0), Some(0.2)));
}

#[test]
fn a_question_of_small_words_is_not_lost() {
    assert!(!Query::new("who is who", &[Language::English]).is_empty());
    assert!(Query::new("?!", &[Language::English]).is_empty());
    assert!(!Query::new("IT risk", &[Language::English]).concepts.is_empty());
    assert_eq!(Query::new("US revenue", &[Language::English]).concepts.len(), 2);
}

#[test]
fn a_question_is_bounded() {
    let long = "word1 other2 ".repeat(100_000);
    assert!(Query::new(&long, &Language::ALL).concepts.len() <= 48);
    let distinct: String = (0..5_000).map(|n| format!("w{n} ")).collect();
    assert!(Query::new(&distinct, &[Language::English]).concepts.len() <= 48);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(200))]
    #[test]
    fn ranges_are_whole_characters(text in "\\PC{0,60}") {
        scan(&text, &mut |piece| {
            if let Piece::Word { start, end, .. } = piece {
                assert!(text.get(start..end).is_some_and(|typed| !typed.is_empty()));

            }
        });
        let _ = Query::new(&text, &Language::ALL);
    }

    #[test]
    fn breaks_and_marks_never_stop_the_scan(text in "[a-z0-9.,&\u{AD}\u{301}東ー ก\u{E49}\n'-]{0,60}") {
        scan(&text, &mut |_| {});
    }
}
