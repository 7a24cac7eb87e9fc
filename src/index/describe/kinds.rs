//! Kinds of documents and the words that name them.

/// How a kind goes together with names and periods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::index) enum Tie {
    /// It reports on a period: "of X, fiscal year 2022".
    Period,
    /// It was written by people: "by X".
    Author,
    /// It was issued by an organisation: "by X".
    Issuer,
}

/// A kind of document.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::index) struct Kind {
    /// As it begins a description.
    pub name: &'static str,
    pub tie: Tie,
    /// Words that name it, in lower case. With a space, or in a script without spaces: anywhere in a title. One word: as the head of a title
    /// ("Inspection report", "Report on rivers"), not within ("Reporting standards"). Beginning with `*`: as the end of such a word (German
    /// compounds).
    pub words: &'static [&'static str],
    /// What the words name also is the subject of other documents, so they count in the title only, not in other lines.
    pub titled: bool,
}

const fn kind(name: &'static str, tie: Tie, words: &'static [&'static str]) -> Kind {
    Kind { name, tie, words, titled: false }
}

/// A kind that is told by other means than its words.
pub(super) const fn found(name: &'static str, tie: Tie) -> Kind {
    Kind { name, tie, words: &[], titled: false }
}

const fn titled(name: &'static str, tie: Tie, words: &'static [&'static str]) -> Kind {
    Kind { name, tie, words, titled: true }
}

use Tie::{Author, Issuer, Period};

/// The more special the earlier: the first that fits is taken.
#[rustfmt::skip]
pub(super) const KINDS: &[Kind] = &[
    kind("Sustainability report", Period, &["sustainability report", "esg report", "corporate responsibility report", "climate report",
        "environmental report", "impact report", "nachhaltigkeitsbericht", "rapport de durabilité", "rapport rse", "duurzaamheidsverslag",
        "informe de sostenibilidad", "bilancio di sostenibilità", "サステナビリティレポート", "統合報告書", "可持续发展报告", "社会责任报告", "지속가능경영보고서"]),
    kind("Half-year report", Period, &["half year report", "half yearly report", "half year financial report", "semi annual report", "semiannual report",
        "halbjahresbericht", "halbjahresfinanzbericht", "rapport semestriel", "rapport financier semestriel", "halfjaarverslag", "halfjaarbericht",
        "informe semestral", "relazione semestrale", "半年度报告", "半期報告書", "반기보고서"]),
    kind("Quarterly report", Period, &["quarterly report", "interim report", "quarterly statement", "quarterly financial report", "quartalsbericht",
        "quartalsmitteilung", "zwischenbericht", "rapport trimestriel", "kwartaalbericht", "informe trimestral", "relazione trimestrale",
        "四半期報告書", "季度报告", "분기보고서"]),
    kind("Earnings release", Period, &["earnings release", "quarter results", "quarterly results", "full year results", "annual results", "half year results",
        "決算短信", "résultats annuels", "résultats semestriels", "jahreszahlen", "quartalszahlen"]),
    kind("Annual report", Period, &["annual report", "annual reports", "annual review", "report and accounts", "annual report and accounts", "report and financial statements",
        "rapport annuel", "geschäftsbericht", "jahresbericht", "document d'enregistrement universel", "universal registration document",
        "jaarverslag", "informe anual", "memoria anual", "relazione annuale", "bilancio d'esercizio", "有価証券報告書", "年次報告書", "年度报告", "年報", "年报", "사업보고서", "연차보고서"]),
    kind("Financial statements", Period, &["financial statements", "statement of changes in equity", "balance sheet", "jahresabschluss", "konzernabschluss", "comptes annuels", "comptes consolidés",
        "jaarrekening", "cuentas anuales", "bilancio consolidato", "財務諸表", "财务报表", "재무제표", "감사보고서"]),
    kind("Audit report", Period, &["audit report", "auditor's report", "auditors' report", "prüfungsbericht", "rapport d'audit", "informe de auditoría", "审计报告"]),
    kind("Prospectus", Issuer, &["prospectus", "wertpapierprospekt", "招股说明书", "目論見書"]),
    kind("Proxy statement", Period, &["proxy statement"]),
    kind("Inspection report", Issuer, &["inspection report", "rapport d'inspection", "inspectierapport"]),
    kind("Impact assessment", Issuer, &["impact assessment", "environmental impact statement", "étude d'impact", "etude d'impact", "umweltverträglichkeitsprüfung"]),
    kind("Technical report", Author, &["technical report", "rapport technique", "technischer bericht"]),
    kind("Management report", Period, &["management report", "wealth management report", "lagebericht", "rapport de gestion"]),
    kind("Strategic plan", Issuer, &["strategic plan", "plan stratégique", "plan estratégico"]),
    kind("Business plan", Issuer, &["business plan", "businessplan"]),
    kind("White paper", Issuer, &["white paper", "whitepaper", "livre blanc", "weißbuch", "libro blanco", "白皮书", "白書"]),
    kind("Data sheet", Issuer, &["data sheet", "datasheet", "data sheets", "datenblatt", "fiche technique", "hoja de datos", "scheda tecnica", "データシート", "数据手册", "데이터시트"]),
    kind("Safety data sheet", Issuer, &["safety data sheet", "sicherheitsdatenblatt", "fiche de données de sécurité"]),
    kind("Fact sheet", Issuer, &["fact sheet", "factsheet"]),
    kind("Package leaflet", Issuer, &["package leaflet", "packungsbeilage", "gebrauchsinformation", "notice information de l'utilisateur", "bijsluiter", "prospecto información",
        "foglio illustrativo", "添付文書", "药品说明书"]),
    kind("Prescribing information", Issuer, &["prescribing information", "summary of product characteristics", "fachinformation"]),
    kind("Quick reference", Issuer, &["quick reference", "quick reference guide", "reference card", "cheat sheet", "cheatsheet", "refcard"]),
    kind("Quick start guide", Issuer, &["quick start guide", "quick start", "quickstart guide", "schnellstartanleitung", "kurzanleitung", "guide de démarrage rapide"]),
    kind("Installation guide", Issuer, &["installation guide", "installation manual", "installation instructions", "installationsanleitung", "montageanleitung", "guide d'installation", "installatiehandleiding", "installationsguide", "instalační příručka", "guia d'instal"]),
    kind("User guide", Issuer, &["user guide", "user's guide", "users' guide", "users guide", "user manual", "user's manual", "users manual", "owner's manual", "operator's manual",
        "operating instructions", "instruction manual", "instructions for use", "benutzerhandbuch", "bedienungsanleitung", "gebrauchsanweisung", "betriebsanleitung", "benutzeranleitung",
        "guide de l'utilisateur", "guide d'utilisation", "manuel d'utilisation", "mode d'emploi", "notice d'utilisation", "gebruiksaanwijzing", "gebruikershandleiding", "manual de usuario",
        "manual del usuario", "manual de instrucciones", "guía del usuario", "manuale d'uso", "manuale utente", "istruzioni per l'uso", "guida dell'utente", "取扱説明書", "ユーザーガイド", "ユーザーズガイド", "用户手册", "用户指南", "使用说明书", "사용설명서", "사용자 가이드", "사용자 설명서"]),
    kind("Reference manual", Issuer, &["reference manual", "reference guide", "api reference", "command reference", "referenzhandbuch", "manuel de référence", "manual de referencia", "リファレンスマニュアル", "リファレンス", "参考手册"]),
    kind("Administrator guide", Issuer, &["administrator guide", "administrator's guide", "administration guide", "admin guide", "administratorhandbuch"]),
    kind("Developer guide", Issuer, &["developer guide", "developer's guide", "programmer's guide", "programming guide", "entwicklerhandbuch"]),
    kind("Release notes", Issuer, &["release notes", "versionshinweise", "notes de version", "リリースノート"]),
    kind("Code of conduct", Issuer, &["code of conduct", "code of ethics", "verhaltenskodex", "code de conduite", "gedragscode", "código de conducta", "codice etico", "行動規範"]),
    kind("Privacy policy", Issuer, &["privacy policy", "privacy notice", "datenschutzerklärung", "politique de confidentialité", "privacyverklaring", "política de privacidad", "informativa sulla privacy", "プライバシーポリシー", "隐私政策", "개인정보처리방침"]),
    kind("Terms and conditions", Issuer, &["terms and conditions", "terms of use", "terms of service", "general conditions", "allgemeine geschäftsbedingungen", "nutzungsbedingungen", "conditions générales", "algemene voorwaarden", "condiciones generales", "condizioni generali", "利用規約", "服务条款", "이용약관"]),
    kind("Licence", Issuer, &["public license", "license agreement", "licence agreement", "apache license", "mit license", "general public licence"]),
    kind("Request for proposals", Issuer, &["request for proposals", "request for proposal", "invitation to tender", "invitation to bid", "call for tenders", "call for proposals", "tender specifications",
        "ausschreibung", "leistungsverzeichnis", "vergabeunterlagen", "appel d'offres", "cahier des charges", "aanbesteding", "pliego de condiciones", "bando di gara", "disciplinare di gara", "入札説明書", "招标文件", "입찰공고"]),
    kind("Tender", Issuer, &["tender"]),
    kind("Press release", Issuer, &["press release", "news release", "media release", "pressemitteilung", "medienmitteilung", "communiqué de presse", "persbericht", "nota de prensa", "comunicato stampa", "プレスリリース", "新闻稿", "보도자료"]),
    kind("Newsletter", Issuer, &["newsletter", "rundbrief", "nieuwsbrief", "boletín informativo"]),
    kind("Minutes", Issuer, &["minutes of", "meeting minutes", "minutes", "sitzungsprotokoll", "protokoll", "procès verbal", "compte rendu", "notulen", "acta de la reunión", "verbale", "議事録", "会议纪要", "회의록"]),
    kind("Agenda", Issuer, &["agenda", "tagesordnung", "ordre du jour", "orden del día", "ordine del giorno"]),
    kind("Memorandum of understanding", Issuer, &["memorandum of understanding"]),
    kind("Memorandum", Issuer, &["memorandum", "memo", "note de service", "notitie", "aktennotiz"]),
    kind("Invoice", Issuer, &["invoice", "rechnung", "*rechnung", "facture", "factuur", "factura", "fattura", "faktura", "請求書", "发票", "發票", "세금계산서", "청구서"]),
    kind("Receipt", Issuer, &["receipt", "quittung", "領収書", "收据", "영수증"]),
    kind("Quotation", Issuer, &["quotation", "angebot", "devis", "offerte", "presupuesto", "preventivo", "見積書", "报价单", "견적서"]),
    kind("Shipping order", Issuer, &["shipping order", "bill of lading", "托运单", "提单"]),
    kind("Purchase order", Issuer, &["purchase order", "bestellung", "bon de commande", "orden de compra", "発注書", "注文書"]),
    kind("Bank statement", Issuer, &["bank statement", "account statement", "statement of account", "kontoauszug", "relevé de compte"]),
    kind("Certificate", Issuer, &["certificate", "certificate of", "certification of", "zertifikat", "bescheinigung", "urkunde", "certificat", "attestation", "certificaat", "certificado", "certificato", "証明書", "证书", "증명서"]),
    kind("Transcript", Issuer, &["transcript", "school transcript", "transcript of records"]),
    kind("Curriculum vitae", Author, &["curriculum vitae", "resume", "résumé", "lebenslauf", "currículum", "履歴書", "职务经歴書", "个人简历", "이력서"]),
    kind("Thesis", Author, &["thesis", "dissertation", "master's thesis", "bachelor's thesis", "doctoral thesis", "phd thesis", "masterarbeit", "bachelorarbeit", "diplomarbeit", "inauguraldissertation",
        "thèse", "mémoire de master", "thèse de doctorat", "proefschrift", "masterproef", "tesis doctoral", "tesis", "trabajo de fin de grado", "tesi di laurea", "tesi di dottorato", "博士論文", "修士論文", "卒業論文", "博士学位论文", "硕士学位论文", "학위논문", "박사학위논문", "석사학위논문"]),
    kind("Lecture notes", Author, &["lecture notes", "lecture", "lectures", "four lectures", "lectures on", "course notes", "skript", "vorlesungsskript", "vorlesung", "notes de cours", "cours de", "apuntes de", "dispense", "collegedictaat", "講義ノート", "講義録", "讲义", "강의노트"]),
    kind("Syllabus", Author, &["syllabus", "course outline", "course description", "course information", "basic course information", "modulhandbuch", "plan de cours"]),
    kind("Examination", Issuer, &["exam", "midterm", "final exam", "examination", "exam paper", "klausur", "prüfung", "examen", "tentamen", "試験問題", "考试", "시험"]),
    titled("Tutorial", Author, &["tutorial", "a tutorial", "getting started", "introduction to", "einführung in", "introduction à", "introducción a", "introduzione a", "入門", "チュートリアル", "教程", "入门", "튜토리얼"]),
    kind("Articles of association", Issuer, &["articles of association", "articles of incorporation", "bylaws", "by laws", "satzung", "*satzung", "statuten", "statuts", "estatutos", "statuto", "定款", "公司章程", "정관"]),
    kind("Amendment", Issuer, &["amendment", "amendment to", "amendment no", "nachtrag", "avenant"]),
    kind("Lease", Issuer, &["lease", "lease agreement", "mietvertrag", "contrat de bail", "contratto di locazione"]),
    kind("Insurance policy", Issuer, &["insurance policy", "versicherungsschein", "versicherungsbedingungen", "police d'assurance", "保险单", "保険証券", "보험약관"]),
    kind("Insurance information document", Issuer, &["documento informativo", "insurance product information document", "key information document", "basisinformationsblatt", "document d'informations clés"]),
    kind("Agreement", Issuer, &["agreement", "contract", "contract for", "agreement between", "vertrag", "*vertrag", "vereinbarung", "contrat", "accord", "overeenkomst", "contrato", "convenio", "contratto", "契約書", "合同", "协议", "계약서"]),
    kind("Patent", Author, &["patent", "united states patent", "european patent specification", "patentschrift", "特許公報"]),
    kind("Directive", Issuer, &["directive", "council directive", "richtlinie", "*richtlinie", "richtlijn", "directiva", "direttiva"]),
    kind("Regulation", Issuer, &["regulation", "regulations", "commission regulation", "council regulation", "verordnung", "*verordnung", "règlement", "décret", "arrêté", "verordening", "besluit", "reglamento", "real decreto", "regolamento", "decreto", "省令", "政令", "施行規則", "条例", "规定", "시행령", "시행규칙"]),
    titled("Act", Issuer, &["act", "statute", "public law", "*gesetz", "gesetz", "gesetzbuch", "*gesetzbuch", "loi", "code civil", "code pénal", "wet", "wetboek", "ley", "ley orgánica", "legge", "法律", "中华人民共和国", "법률"]),
    kind("Bill", Issuer, &["bill", "gesetzentwurf", "projet de loi", "wetsvoorstel", "proyecto de ley", "disegno di legge"]),
    kind("Guidelines", Issuer, &["guidelines", "clinical practice guidelines", "guideline", "recommendations", "recommendations on", "updated recommendations", "leitlinie", "leitlinien", "lignes directrices", "recommandations", "richtlijnen", "directrices", "recomendaciones", "linee guida", "ガイドライン", "指南", "가이드라인", "지침"]),
    kind("Policy", Issuer, &["policy", "policies", "politique", "beleid", "política", "方針", "政策", "정책"]),
    kind("Exhibit", Issuer, &["exhibit", "exhibit 300"]),
    kind("Specification", Issuer, &["specification", "specifications", "technical specification", "data model", "spezifikation", "lastenheft", "pflichtenheft", "spécification", "specificatie", "especificación", "specifica", "仕様書", "规范", "规格书", "사양서"]),
    kind("Standard", Issuer, &["standard", "international standard", "british standard", "norm", "norme", "norma", "日本工業規格", "国家标准", "国标"]),
    kind("Proposal", Issuer, &["proposal", "project proposal", "user fee proposal"]),
    kind("Questionnaire", Issuer, &["questionnaire", "fragebogen", "vragenlijst", "cuestionario", "questionario", "アンケート", "调查问卷", "설문지"]),
    kind("Worksheet", Issuer, &["worksheet", "arbeitsblatt", "income limit worksheet"]),
    kind("Application form", Issuer, &["application form", "antragsformular", "formulaire de demande", "aanvraagformulier", "solicitud de", "application for", "申請書", "申请表", "신청서"]),
    kind("Form", Issuer, &["form", "formular", "*formular", "formulaire", "formulier", "formulario", "modulo", "election form", "notification of personnel action", "intent to file", "request for", "patient's request", "demande de", "antrag auf", "申込書", "登记表"]),
    kind("Catalogue", Issuer, &["catalogue", "catalog", "katalog", "catálogo", "catalogo", "カタログ", "产品目录"]),
    kind("Brochure", Issuer, &["brochure", "product brochure", "prospekt", "folleto", "パンフレット", "产品手册"]),
    kind("Leaflet", Issuer, &["leaflet", "flyer", "merkblatt", "dépliant"]),
    kind("Handbook", Issuer, &["handbook", "employee handbook"]),
    kind("Package documentation", Author, &["package", "pakiet", "宏包", "パッケージ"]),
    kind("Manual", Issuer, &["manual", "handbuch", "*handbuch", "anleitung", "die anleitung", "*anleitung", "manuel", "handleiding", "*handleiding", "manuale", "příručka", "návod", "podręcznik", "poradnik", "manual do", "manual de", "マニュアル", "説明書", "手册", "说明书", "매뉴얼", "설명서"]),
    kind("Documentation", Issuer, &["documentation", "technical documentation", "dokumentation", "*dokumentation", "documentatie", "documentación", "documentazione", "dokumentace"]),
    kind("Guide", Issuer, &["guide", "guide to", "leitfaden", "ratgeber", "gids", "guía", "guida", "ガイド", "가이드"]),
    kind("Newspaper article", Author, &["editorial", "leitartikel"]),
    kind("FAQ", Issuer, &["faq", "frequently asked questions", "よくある質問", "常见问题"]),
    kind("Instructions", Issuer, &["instructions", "instruction", "instructions for", "anweisung", "dienstanweisung", "*anweisung"]),
    kind("Review", Author, &["review by", "reviewed by", "book review", "rezension"]),
    titled("Survey", Author, &["survey", "a survey", "a survey of", "a review", "literature review"]),
    titled("Summary", Issuer, &["summary", "executive summary", "zusammenfassung", "synthèse", "samenvatting", "resumen", "riassunto"]),
    kind("Study", Issuer, &["study", "feasibility study", "case study", "studie", "*studie", "étude", "estudio", "studio", "調査", "研究"]),
    kind("Statistics", Period, &["statistics", "statistical release", "statistical bulletin", "statistical yearbook", "statistik", "statistische berichte", "statistisches jahrbuch", "statistiques", "statistieken", "estadísticas", "statistiche", "統計", "统计", "통계"]),
    kind("Crash report", Issuer, &["crash report", "accident report"]),
    kind("Report", Issuer, &["report", "final report", "report on", "bericht", "*bericht", "gutachten", "rapport", "rapport sur", "verslag", "informe", "relazione", "rapporto", "報告書", "报告", "報告", "보고서"]),
    titled("Advice", Issuer, &["advies", "*advies", "avis", "stellungnahme", "opinion"]),
    titled("Presentation", Author, &["presentation", "slides", "präsentation", "présentation", "presentatie", "presentación", "発表資料", "演示"]),
    titled("Time line", Author, &["time line", "timeline", "chronology"]),
];

/// Words that follow the head of a title: "Report on", "Handbuch der", "Guide de".
pub(super) const JOINTS: &[&str] = &[
    "of",
    "on",
    "for",
    "to",
    "about",
    "concerning",
    "regarding",
    "between",
    "with",
    "no",
    "nr",
    "number",
    "zu",
    "zur",
    "zum",
    "über",
    "der",
    "des",
    "für",
    "vom",
    "von",
    "du",
    "de",
    "la",
    "les",
    "sur",
    "pour",
    "relatif",
    "van",
    "over",
    "voor",
    "del",
    "della",
    "di",
    "sobre",
    "para",
    "per",
    "sul",
    "sulla",
    "n",
];
