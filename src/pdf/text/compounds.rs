//! What the two parts of a word that is cut at a hyphen say by themselves, for documents too short to say it. The lists are of parts
//! that make English compounds; words of other languages are cut at syllables far more often than at hyphens of their own.

/// What the parts of a cut word say about its hyphen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guess {
    /// A compound, which has its hyphen within a line, too: "risk-free".
    Compound,
    /// The second part is no word but the ending of one: "state-" "ment".
    Ending,
    /// Neither part is known to make compounds: "recom-" "mended".
    Syllables,
    /// May be either: "re-" "entry".
    Unclear,
}

/// First parts that make a compound of whatever follows.
const ALWAYS: &str = "self non quasi pseudo vice twenty thirty forty fifty sixty seventy eighty ninety";

/// First parts of compounds, few of which begin another word.
const FIRST: &str = "self non well vice quasi pseudo cross high higher highest low lower long longer short shorter full fully half third first \
    second fourth fifth year day week month off ever near early late later old newly deep fast open free best better good great \
    large larger small big broad wide wider ill like left right top front back single double triple dual real risk cash cost tax \
    trade state government debt equity asset credit market stock share fixed fair time price value loss profit policy decision \
    data world user client server cloud computer machine broker fund income interest private public case child school water land \
    house home hand life work job labor labour rule law court gender human peer class air sea oil gas coal steel gold dollar \
    currency country city region industry sector company employee consumer customer patient drug dose energy fuel power carbon \
    climate zero less most still then now ready paid buy sell lease loan mortgage custom store supply demand weight color colour \
    blue red green black white grey gray dark light heavy hot cold dry wet one two three four five six seven eight nine eleven \
    twelve twenty thirty forty fifty sixty seventy eighty ninety hundred anglo afro north south east west face mother father son \
    daughter brother sister problem task question document domain context object event evidence knowledge language text image \
    video audio web mobile smart fine coarse straight forward backward inward outward upward downward above below soon wholly \
    partly mostly highly widely closely commonly previously currently internationally publicly privately daily cyber write check \
    charge record cumulative subject standard fee hold step";

/// Second parts of compounds that end no other word in common use, or hardly one.
const SECOND: &str = "free based known term terms year years day days week weeks month months owned related specific sponsored driven oriented \
    friendly effective efficient sensitive bearing backed adjusted weighted sized scale level levels quality class party parties \
    border like making makers maker takers taker taking looking called employed dealer dealers registered defined average \
    performance region current enabled focused focussed annually wide income risk cost value price exempt deferred speed selling \
    settled denominated traded listed held linked led run built designed intensive rich minded handed headed hearted eyed legged \
    president chairman chancellor consul balance interest performing recurring cash controlling compliance compliant conforming \
    profit financial executive binding existent essential payment residential verbal zero discriminatory war tech end earnings \
    thirds quarters quarter person hour hours minute mile foot inch pound dollar tier tax approved appointed bodied branded \
    growing moving running acting lasting living paying reaching ranging ranking sufficient evident explanatory contained \
    governed determined determination insured service confidence esteem interested examination edged sector lived paid trained \
    established developed funded financed managed made selected purpose generation disciplinary flow flows time dividend ante";

/// Second parts that follow such first parts with a hyphen or without: "back-up", "background".
const RUN_ON: &str = "light lights ground grounds mark marks line lines hold holds holder holders force forces load loads base bases scape scapes \
    roll rolls site sites house houses note notes ware wares way ways man men side sides ship ships point points board boards \
    book books place places room rooms work works shop shops stone stones store field fields sheet sheets end ends time times \
    back out up off down over in on fall fast word words step steps";

/// What follows "in-" with a hyphen.
const IN: &str = "house home app person kind store flight depth licence license service game vehicle network";

/// Syllables with which many words begin, and hardly a compound.
const CLOSED: &str = "un de dis mis out under inter trans super sub over tele up";

/// Syllables that begin words as well as compounds: "pre-sented", "pre-tax".
const PREFIXES: &str = "pre co mid anti post semi multi extra ultra intra on by no pan neo eco bio geo";

/// Second parts that are words by themselves although they look like the end of one.
const WORDS: &str = "king ring sing wing being using thing things spring string action actions nation nations station ration red bed fed wed shed \
    sled bred bled fled sped ably table cable sable fable age ages mental mentally entry entries city cities ally allies art \
    arts act acts ant ants ate eight date dates late gate gates plate plates state states rate rates fate mate mates dance \
    chance glance lance stance trance fence pence hence thence whence sense sence once ounce order orders element elements enter \
    inter later water waters letter letters matter matters meter meters metre metres member members number numbers owner owners \
    user users paper papers power powers tower towers river rivers driver drivers leader leaders maker makers taker takers \
    trader traders lender lenders buyer buyers seller sellers payer payers player players writer reader readers rider riders \
    holder holders dealing trading lending paying buying selling making taking having doing going saying seeing dying lying \
    tying trying flying ending standing landing binding building finding holding bearing earning hearing meaning reading leading \
    training ranking thinking working looking walking talking banking asking testing setting getting letting cutting putting \
    sitting running winning planning beginning opening aged ended ruled rated dated tested listed lived used owned ored based \
    faced raised sized called filled killed skilled billed paired aired armed farmed named timed tied died dried tried fried \
    cried pity active actively native natives votive motive motives missive massive passive live lively dive drive drives five \
    give giving hive arrive alive tribal legal regal royal loyal local vocal total fatal vital rural mural dual equal real deal \
    meal heal seal steal ideal usual metal petal pedal medal modal nodal tidal final penal canal signal animal normal formal \
    thermal dermal oral moral coral aural";

/// Endings of words. A second part that is one of these after at most three consonants is the rest of a word.
const ENDINGS: &str = "tion tions tional tionally sion sions sional ation ations ational ization izations isation iation iations ution ment ments \
    mental ing ings ingly ed edly er ers ery eries ness able ably ability abilities ible ibly ibility ibilities ity ities ive \
    ives ively ance ances ence ences ency encies ancy ancies ant ants antly ent ents ently ial ially cial cially tial tially ual \
    ually ous ously ious iously eous ary aries arily ory ories ature atures ture tures sure sures al als ally ical ically ic ics \
    ize izes ized izing ise ised ising ism isms ist ists ate ates ated ating ator ators iate iated iating ute uted uting ier \
    iers iest ied ies ful fully less lessly ly ship ships hood teen teenth dom ish ian ians ure ures ured uring age ages let \
    lets et ets le les led ling iary iaries inal inally ican icans ement ements enced encing anced ancing acy acies en ens ened \
    ening doms dle dles tative ties ty sities sity ily";

const VOWELS: [char; 6] = ['a', 'e', 'i', 'o', 'u', 'y'];

/// Judges a cut word by its parts; both must be letters only, `first` as written.
pub(super) fn guess(first: &str, second: &str) -> Guess {
    let upper = first.chars().all(char::is_uppercase);
    let (first, second) = (first.to_lowercase(), second.to_lowercase());
    let (one, two) = (first.as_str(), second.as_str());
    // "pre-" "and post-war": the hyphen stands for what follows later.
    if lists("and or nor und oder et ou y o e of", two) {
        return Guess::Unclear;
    }
    // "T-shirt", "x-axis"; "SEC-registered": a word in capitals does not go on in small letters.
    if upper || one.chars().count() == 1 || lists(ALWAYS, one) {
        return Guess::Compound;
    }
    // "re-entry", "co-operate"; but "re-ceived".
    let parts_vowels = matches!(one, "re" | "co" | "pre") && two.starts_with(VOWELS);
    if one == "in" && lists(IN, two) {
        return Guess::Compound;
    }
    if !parts_vowels && !lists(WORDS, two) && !lists(SECOND, two) && ends_a_word(two) {
        return Guess::Ending;
    }
    if parts_vowels || lists(PREFIXES, one) {
        return Guess::Unclear;
    }
    if lists(CLOSED, one) {
        return Guess::Syllables;
    }
    match (lists(FIRST, one), lists(SECOND, two)) {
        (true, false) if lists(RUN_ON, two) => Guess::Unclear,
        (false, false) => Guess::Syllables,
        _ => Guess::Compound,
    }
}

fn lists(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|w| w == word)
}

/// Whether this is an ending, after at most three consonants.
fn ends_a_word(part: &str) -> bool {
    let onset = part.chars().take_while(|c| !VOWELS.contains(c)).map(char::len_utf8);
    let mut at = 0;
    for length in std::iter::once(0).chain(onset).take(4) {
        at += length;
        if part.get(at..).is_some_and(|rest| lists(ENDINGS, rest)) {
            return true;
        }
    }
    false
}
