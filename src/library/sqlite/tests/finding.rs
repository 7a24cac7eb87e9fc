//! Queries of people who look for a document, over the same real documents as the page questions in [`super::quality`].

/// The query and the names that are right.
pub(super) const FINDING: &[(&str, &[&str])] = &[
    // By meaning.
    ("quarterly earnings of Disney", &["q1-fy25-earnings.pdf"]),
    ("entertainment company first quarter results", &["q1-fy25-earnings.pdf"]),
    ("theme parks and streaming subscribers", &["q1-fy25-earnings.pdf"]),
    ("central bank annual report", FED),
    ("monetary policy and supervision of banks", FED),
    ("broker-dealer best interest rule", BEST_INTEREST),
    ("standard of conduct for brokers who recommend securities to retail customers", BEST_INTEREST),
    ("solely incidental advice exclusion", INCIDENTAL),
    ("image similarity search algorithm", &["earthmover.pdf"]),
    ("lectures on a functional programming language", &["four-lectures.pdf"]),
    ("respirators and abrasives company yearly report", &["3M_2018_10K.pdf"]),
    ("Call of Duty publisher annual report", &["ACTIVISIONBLIZZARD_2019_10K.pdf"]),
    ("creative cloud company financials 2022", ADOBE),
    ("iPhone maker annual report", &["apple-2022-10k.pdf"]),
    ("online retailer annual report 2017", &["AMAZON_2017_10K.pdf"]),
    ("packaging company 10-K", &["AMCOR_2023_10K.pdf"]),
    ("consumer electronics retailer quarterly report", &["BESTBUY_2024Q2_10Q.pdf"]),
    ("Square payments Cash App", &["BLOCK_2020_10K.pdf"]),
    ("movie streaming service yearly report", &["NETFLIX_2015_10K.pdf"]),
    ("cosmetics retailer earnings", &["ULTABEAUTY_2023Q4_EARNINGS.pdf"]),
    ("beauty stores fourth quarter results", &["ULTABEAUTY_2023Q4_EARNINGS.pdf"]),
    ("causal inference benchmark for language models", &["2312.04350v3.pdf"]),
    ("RAG survey", SURVEY),
    ("nursing home inspection", CARE_HOME),
    ("elderly care quality rating", CARE_HOME),
    ("ballot access lawsuit in Georgia", &["a4f3ced0696009fec3179f493e4f28c4.pdf"]),
    ("Florida health department strategy", &["e79deb02a0c0e87511080836c5d4347b.pdf"]),
    ("high school business course syllabus", &["f8d3a162ab9507e021d83dd109118b60.pdf"]),
    ("taxi lender annual report", &["1a12ef3f11a64e92eeca39e493a17d2860c014a6.pdf"]),
    ("biopharmaceutical company oncology medicines", &["4d3e52b69b4b5366e54ce87cf641b01b1419bdee.pdf"]),
    ("shopping center REIT", &["b947c33b370d8a3251ef9c36ce7d71e8d16f4f8e.pdf"]),
    ("accounting firm annual report Australia", &["c8af22dbedd95ee719273792e5964ab8bbba17b2.pdf"]),
    ("credit bureau annual report", &["erc-annual-85fb.pdf"]),
    ("object storage cloud service", STORAGE),
    ("smartwatch blood pressure manual", WATCH),
    ("supercomputer security", &["nist-sp800-223.pdf"]),
    ("pdf library for python documentation", &["pymupdf-doc-18.pdf"]),
    ("matlab modelling textbook", &["matlab-book.pdf"]),
    ("embryonic stem cells patents ethics", &["hips-bioethics-and-the-patent.pdf"]),
    ("FRAND licensing and competition law", &["hips-antitrust-enforcement-an.pdf"]),
    ("global warming technology transfer", &["hips-the-role-of-the-patent-s.pdf"]),
    ("UK leaving the European Union", &["hips-brexit-and-the-future-of.pdf"]),
    ("enzyme patents homology", &["hips-aegis-or-achilles-heel-t.pdf"]),
    ("large language model technical report", &["paper-qwen2.pdf"]),
    // In other languages.
    ("Elliptische Kurve", &["ekk-de.pdf"]),
    ("barrierefreie PDFs erstellen", &["ua-chapter-de.pdf"]),
    ("cours de mathématiques", &["cours-fr.pdf"]),
    ("decouverte mathematique", &["cours-fr.pdf"]),
    ("advies over wifi", &["wpa2-nl.pdf"]),
    ("통신이론", &["comm-theory-ko.pdf"]),
    ("코로나 보험", &["cjk-ko-4p.pdf"]),
    ("固有表現", &["cjk-ja-slides-31p.pdf"]),
    ("半年度报告", &["cjk-zh-annual-95p.pdf"]),
    ("新聞", &["cjk-ja-slides-31p.pdf"]),
    // By name, in part or misspelt.
    ("best buy 2023 10k", &["BESTBUY_2023_10K.pdf"]),
    ("bestbuy q2", &["BESTBUY_2024Q2_10Q.pdf"]),
    ("2312.10997", &["2312.10997v5.pdf"]),
    ("earthmov", &["earthmover.pdf"]),
    ("ultab", &["ULTABEAUTY_2023Q4_EARNINGS.pdf"]),
    ("beauty 2023q4", &["ULTABEAUTY_2023Q4_EARNINGS.pdf"]),
    ("blizzard", &["ACTIVISIONBLIZZARD_2019_10K.pdf"]),
    ("anual report federal resrve", FED),
    ("q1 fy25 earnigs", &["q1-fy25-earnings.pdf"]),
    ("activison blizard", &["ACTIVISIONBLIZZARD_2019_10K.pdf"]),
    ("netflx", &["NETFLIX_2015_10K.pdf"]),
    ("matlb book", &["matlab-book.pdf"]),
    ("anazon 10k", &["AMAZON_2017_10K.pdf"]),
    ("hawei watch", WATCH),
];

const FED: &[&str] = &["2023-annual-report.pdf", "fed-annual-2023.pdf"];
const BEST_INTEREST: &[&str] = &["Regulation Best Interest_proposed rule.pdf", "sec-regbi-proposed.pdf"];
const INCIDENTAL: &[&str] = &["Regulation Best Interest_Interpretive release.pdf", "sec-interpretive.pdf"];
const ADOBE: &[&str] = &["ADOBE_2022_10K.pdf", "adobe-2022-10k.pdf"];
const SURVEY: &[&str] = &["2312.10997v5.pdf", "paper-rag-survey.pdf"];
const CARE_HOME: &[&str] = &["379f44022bb27aa53efd5d322c7b57bf.pdf", "care-home-report.pdf"];
const STORAGE: &[&str] = &["obs-productdesc-en.pdf", "obs-product.pdf"];
const WATCH: &[&str] = &["watch_d.pdf", "watch-d.pdf"];
