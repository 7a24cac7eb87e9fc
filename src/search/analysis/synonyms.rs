//! A small table of words that mean nearly the same in reports, releases, papers, rules and manuals. English, our own.
//!
//! A line of a group is symmetric: any phrase of it in a question also looks for the others. A lead goes one way: from what is asked for
//! to where it stands (a ratio to what it is made of).

use std::collections::HashMap;
use std::sync::OnceLock;

use super::analyzer::Analyzer;
use super::language::Language;

/// Phrases apart by `|`.
const GROUPS: &[&str] = &[
    // Statements and their lines.
    "revenue | sales | turnover | net sales",
    "earnings | profit | income",
    "net income | net earnings | net profit | net loss",
    "operating income | operating profit | income from operations | operating earnings | operating loss | loss from operations",
    "income statement | statement of income | statement of operations | statement of earnings | profit and loss statement",
    "balance sheet | statement of financial position | statement of financial condition",
    "cash flow statement | statement of cash flows",
    "capital expenditures | capital expenditure | capex | purchases of property and equipment | purchases of property, plant and equipment | \
     additions to property, plant and equipment | capital spending | investments in property",
    "pp&e | ppe | property, plant and equipment | property and equipment | fixed assets",
    "cogs | cost of goods sold | cost of sales | cost of revenue | cost of revenues",
    "gross profit | gross margin",
    "eps | earnings per share | income per share | net income per share",
    "ebit | operating income | earnings before interest and taxes",
    "ebitda | earnings before interest, taxes, depreciation and amortization",
    "d&a | depreciation and amortization | depreciation",
    "r&d | research and development",
    "sg&a | selling, general and administrative",
    "g&a | general and administrative",
    "fcf | free cash flow",
    "operating cash flow | cash flow from operations | cash provided by operations | cash provided by operating activities | \
     net cash provided by operating activities | cash from operations",
    "investing activities | cash used in investing",
    "accounts receivable | trade receivables | receivables",
    "accounts payable | trade payables | payables",
    "inventory | inventories | merchandise",
    "debt | borrowings | loans | notes payable | indebtedness",
    "long-term debt | long-term borrowings",
    "equity | shareholders equity | stockholders equity | shareholder | stockholder",
    "dividend | distribution | payout",
    "buyback | share repurchase | repurchase of common stock | repurchases of shares",
    "interest expense | interest cost | finance cost",
    "income tax | provision for income taxes | tax expense",
    "effective tax rate | effective income tax rate",
    "goodwill | intangible assets",
    "impairment | write-down | writedown | write-off",
    "backlog | order book",
    "guidance | outlook | forecast | projection",
    "non-gaap | adjusted | excluding certain items",
    "fiscal year | financial year",
    "year over year | compared to prior year | prior-year | previous year | last year",
    "quarter | three months | quarterly",
    "financials | financial results | financial statements | results",
    // Organisations and people.
    "ceo | chief executive officer | chief executive",
    "cfo | chief financial officer",
    "coo | chief operating officer",
    "chair | chairman | chairperson | chairwoman",
    "board | directors | board of directors",
    "executive | officer | leadership | management",
    "employee | staff | workforce | headcount | personnel | worker",
    "salary | compensation | pay | remuneration | wage",
    "appoint | appointed | appointment | elect | named | join",
    "resign | resignation | step down | departure | retire",
    "customer | client | consumer",
    "subscriber | member | subscription",
    "supplier | vendor",
    "competitor | competition | rival",
    "subsidiary | affiliate",
    "segment | division | business unit",
    "headquarters | head office | principal executive offices",
    "store | location | shop",
    "country | region | geographic area | geography",
    "us | usa | united states | domestic",
    "uk | united kingdom",
    "eu | european union",
    "phone | telephone",
    "email | e-mail",
    "author | written by | wrote",
    // Deals, law, risk.
    "acquisition | acquire | merger | business combination | takeover | bought",
    "divestiture | disposal | sale of business | divest",
    "lawsuit | litigation | legal proceedings | claim | legal action | legal battle",
    "fine | penalty | sanction",
    "rule | regulation | requirement",
    "retain | keep | preserve | retention | recordkeeping",
    "require | must | obligation | shall",
    "prohibit | ban | forbid",
    "amend | amendment | revise | modify | change",
    "risk | uncertainty | hazard",
    "restructuring | reorganization",
    "lease | rent | rental",
    "pension | retirement plan | retirement benefits",
    // Kinds of documents and their subjects.
    "annual | yearly",
    "manual | user guide | handbook | instructions",
    "contract | agreement",
    "invoice | bill",
    "judgment | ruling | verdict",
    "lawyer | attorney | counsel",
    "law | legislation | statute",
    "curriculum vitae | resume | cv",
    "climate change | global warming",
    "nursing home | care home | residential home | retirement home",
    "credit bureau | credit reporting agency | consumer reporting agency",
    "high performance computing | hpc | supercomputer",
    "large language model | llm",
    "wi-fi | wifi | wlan",
    // Measures and changes.
    "increase | growth | rise | grow | higher | gain",
    "decrease | decline | reduction | fall | drop | lower",
    "average | mean",
    "maximum | max | highest | upper limit",
    "minimum | min | lowest | lower limit",
    "percent | percentage | share of",
    "amount | total | sum",
    "number of | count",
    "cost | expense | expenditure | spending | charge",
    "price | rate | fee",
    // Science and technology.
    "method | approach | technique | algorithm | procedure",
    "definition | define | means | defined as",
    "experiment | evaluation | trial",
    "dataset | data set | benchmark | corpus",
    "accuracy | performance | precision",
    "proof | theorem | lemma",
    "figure | fig | diagram | chart",
    "error | failure | fault | malfunction",
    "install | installation | setup | set up | mounting",
    "warranty | guarantee",
    "battery | accumulator",
    "temperature | degrees",
    "voltage | power supply",
    "dimensions | size | measurements",
    "weight | mass",
    "maintenance | servicing | service interval",
    "safety | warning | caution",
    "start | begin | launch | commence",
    "stop | end | terminate | cease",
    "vehicle | car | automobile",
    "doctor | physician",
    "drug | medicine | medication",
    "illness | disease",
    "abbreviation | acronym | stands for",
];

/// What is asked for, then where it stands, apart by `=>`; phrases apart by `|`.
const LEADS: &[&str] = &[
    "operating margin => operating income | revenue | income statement",
    "gross margin => gross profit | cost of sales | net sales | income statement",
    "profit margin => net income | revenue | income statement",
    "margin => income | revenue",
    "quick ratio => current assets | current liabilities | cash and cash equivalents | accounts receivable | balance sheet",
    "current ratio => current assets | current liabilities | balance sheet",
    "working capital => current assets | current liabilities | balance sheet",
    "liquidity => cash and cash equivalents | credit facility | current assets",
    "leverage => debt | equity",
    "asset turnover => revenue | total assets | balance sheet",
    "fixed asset turnover => property, plant and equipment | revenue | balance sheet",
    "inventory turnover => inventories | cost of sales | balance sheet",
    "days payable outstanding => accounts payable | cost of sales | inventories | balance sheet",
    "dpo => accounts payable | cost of sales | inventories | balance sheet",
    "days sales outstanding => accounts receivable | revenue | balance sheet",
    "dso => accounts receivable | revenue | balance sheet",
    "capital expenditures => cash flow statement | investing activities",
    "capital expenditure => cash flow statement | investing activities",
    "capex => cash flow statement | investing activities",
    "total revenue => income statement",
    "net revenue => income statement",
    "revenue growth => income statement",
    "net income => income statement",
    "cogs => income statement",
    "cost of goods sold => income statement",
    "operating income => income statement",
    "inventory => balance sheet",
    "total assets => balance sheet",
    "total liabilities => balance sheet",
    "accounts payable => balance sheet",
    "accounts receivable => balance sheet",
    "dividends paid => cash flow statement | financing activities",
    "depreciation and amortization => cash flow statement",
    "cash conversion cycle => inventories | accounts receivable | accounts payable",
    "return on assets => net income | total assets | balance sheet",
    "return on equity => net income | total equity",
    "roa => net income | total assets",
    "roe => net income | total equity",
    "ebitda => operating income | depreciation and amortization | income statement | cash flow statement",
    "free cash flow => cash provided by operating activities | capital expenditures | cash flow statement",
    "effective tax rate => provision for income taxes | income before income taxes",
    "retention ratio => dividends | net income",
    "payout ratio => dividends | net income",
    "capital intensive => capital expenditures | property, plant and equipment | total assets",
    "industry => business | products | overview | customers",
    "products and services => business | segments | offerings",
    "geographies => international | countries | segments",
    "securities => registered | title of each class | stock exchange",
    "quarterly => first quarter | second quarter | third quarter | fourth quarter | three months",
    "annual => year | fiscal year",
];

/// What to look for beside a phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// Stems of the related phrase.
    pub stems: Vec<String>,
    /// Whether it means the same (a group), or only leads there.
    pub same: bool,
}

/// The table, by the stems of the phrase that a question may hold.
pub struct Synonyms {
    by_phrase: HashMap<Vec<String>, Vec<Related>>,
    longest: usize,
}

impl Synonyms {
    /// The table in English stems.
    pub fn english() -> &'static Self {
        static TABLE: OnceLock<Synonyms> = OnceLock::new();
        TABLE.get_or_init(Self::build)
    }

    /// The longest phrase at the beginning of these stems that the table knows: its length and what is related to it.
    pub fn longest_at(&self, stems: &[&str]) -> Option<(usize, &[Related])> {
        (1..=self.longest.min(stems.len())).rev().find_map(|length| {
            let phrase: Vec<String> = stems.get(..length)?.iter().map(|stem| (*stem).to_owned()).collect();
            Some((length, self.by_phrase.get(&phrase)?.as_slice()))
        })
    }

    fn build() -> Self {
        let mut analyzer = Analyzer::new(Language::English);
        let mut by_phrase: HashMap<Vec<String>, Vec<Related>> = HashMap::new();
        let mut stems = |phrase: &str| -> Vec<String> {
            let terms = analyzer.terms(phrase);
            terms.iter().map(|term| analyzer.stem(term.index).to_owned()).collect()
        };
        let mut add = |from: &[String], to: &[String], same: bool| {
            let related = by_phrase.entry(from.to_vec()).or_default();
            if from != to && !related.iter().any(|known| known.stems == to) {
                related.push(Related { stems: to.to_vec(), same });
            }
        };
        let groups: Vec<Vec<Vec<String>>> = GROUPS.iter().map(|group| group.split('|').map(&mut stems).collect()).collect();
        for phrases in &groups {
            for from in phrases {
                for to in phrases {
                    add(from, to, true);
                }
            }
        }
        for lead in LEADS {
            let Some((from, to)) = lead.split_once("=>") else { continue };
            let from = stems(from);
            for phrase in to.split('|').map(&mut stems) {
                add(&from, &phrase, false);
                // What goes by several names is led to by each of them.
                for same in groups.iter().filter(|group| group.contains(&phrase)).flatten() {
                    add(&from, same, false);
                }
            }
        }
        let longest = by_phrase.keys().map(Vec::len).max().unwrap_or(0);
        Self { by_phrase, longest }
    }
}
