//! Pages of documents that do not exist: a report, a law, a manual, a German report, and tables with figures drawn by a fixed rule.

/// A document with the texts of its pages, from page 1.
pub struct Document {
    pub name: String,
    pub pages: Vec<String>,
}

fn document(name: &str, pages: &[&str]) -> Document {
    Document { name: name.into(), pages: pages.iter().map(|p| (*p).to_owned()).collect() }
}

pub fn documents() -> Vec<Document> {
    let mut out = vec![
        document(
            "harbour-annual-report.pdf",
            &[
                "Harbour Lines plc\nAnnual Report 2024\n\nGroup revenue rose by 7.3% to £4.82 billion, compared with £4.49 billion in the previous year.\nOperating profit before exceptional items was £512 million (2023: £468 million), a margin of 10.6%.\nThe board proposes a final dividend of 18.4 pence per share, to be paid on 14 May 2025 to holders of record on 11 April 2025.\nWe carried 31.6 million passengers on 214 vessels and employed 18,940 people at the year end.",
                "Financial review\n\nFuel was our largest single cost at £1,036 million and fell by 4.1% as oil prices eased during the second half.\nNet debt stood at £1.27 billion at 31 December 2024, or 1.6 times earnings before interest, tax and depreciation.\nCapital expenditure amounted to £386 million, of which £241 million was spent on four new hybrid ferries.\nThe exceptional charge of £73 million relates to the closure of the Northport repair yard, where 412 jobs were lost.\nThe effective tax rate was 22.8%, down from 24.5% a year earlier.",
                "Consolidated income statement\nfor the year ended 31 December 2024\n(in millions of pounds, except per share amounts)\n\n                                   2024     2023\nRevenue                           4,821    4,493\nFuel                             (1,036)  (1,080)\nStaff costs                        (944)    (902)\nDepreciation                       (317)    (298)\nExceptional items                   (73)      (12)\nFinance costs                       (88)      (95)\nProfit before tax                   351      361\nBasic earnings per share (pence)   41.7     42.9",
                "Notes to the accounts\n\nNote 7. Provisions\nThe provision for environmental restoration at the closed repair yard was increased by £19.5 million to £64.2 million.\nManagement expects that about 60% of this amount will be spent within 36 months of the balance sheet date.\nA change of one percentage point in the discount rate would alter the provision by £2.7 million.\nContingent liabilities of £8.9 million relate to passenger claims after the storm of 3 February 2024.",
            ],
        ),
        document(
            "water-services-act.pdf",
            &[
                "Water Services (Licensing) Act\n\nSection 14. Duty to notify\n(1) A licence holder shall notify the Regulator within 72 hours of any discharge that exceeds 250 cubic metres.\n(2) The notice shall state the place, the estimated volume and the measures taken, and shall be kept for 12 years.\n(3) A person who fails to comply with subsection (1) is liable to a penalty not exceeding €180,000 or 2.5% of annual turnover, whichever is the greater.",
                "Section 22. Suspension of a licence\n(1) The Regulator may suspend a licence for a period of up to 90 days where the holder has committed three or more breaches within 24 months.\n(2) Before a suspension takes effect the holder shall have 28 days in which to make written representations.\n(3) An appeal against a suspension lies to the Tribunal and shall be lodged within 21 days after the decision was served.",
                "Schedule 3. Fees\nThe fee for an application is €4,350 and the annual fee is €1,275 for each 10,000 connections served.\nA small undertaking with fewer than 1,500 connections pays a reduced annual fee of €640.\nThe fees are adjusted on 1 March of each year by the change in the consumer price index, rounded to the nearest 5 euro.",
            ],
        ),
        document(
            "press-p40-manual.pdf",
            &[
                "Hydraulic press P40\nTechnical data\n\nThe press delivers a nominal force of 400 kN at an operating pressure of 28.5 MPa.\nThe main motor is rated at 18.5 kW and runs at 1,465 rpm on a supply of 400 V.\nThe machine weighs 3,870 kg without tooling and needs a floor area of 2.4 by 1.9 metres.\nThe oil tank holds 165 litres; change the oil after the first 500 hours and then every 4,000 hours.",
                "Maintenance\n\nTighten the sixteen head bolts crosswise to 310 Nm, then turn each bolt by a further 45 degrees.\nReplace the return filter when the indicator shows more than 2.2 bar, and at the latest after 1,200 hours of operation.\nThe ram must not sink by more than 0.8 mm in 10 minutes under full load; otherwise replace the seals of valve V12.\nStore spare hoses at temperatures between 5 and 35 degrees for no longer than 6 years.",
                "Fault messages\n\nMessage E217 appears when the oil temperature exceeds 68 degrees for longer than 90 seconds.\nMessage E304 appears when the light curtain is interrupted during the last 120 mm of the stroke.\nAfter three restarts within 15 minutes the control unit locks the drive and requires the service code.\nFirmware 5.2.0 or later reports the cylinder position with a resolution of 0.01 mm.",
            ],
        ),
        document(
            "nordwerk-geschaeftsbericht.pdf",
            &[
                "Nordwerk AG\nGeschäftsbericht 2024\n\nDer Umsatz des Konzerns stieg um 6,4 % auf 2.318,7 Mio. € (Vorjahr: 2.179,2 Mio. €).\nDas Ergebnis vor Zinsen und Steuern erreichte 187,3 Mio. € und lag damit um 11,9 Mio. € über dem Vorjahreswert.\nIm Jahresdurchschnitt waren 9.482 Mitarbeiter beschäftigt, davon 3.150 außerhalb Deutschlands.",
                "Lage des Konzerns\n\nDie Investitionen in Sachanlagen beliefen sich auf 142,8 Mio. € nach 128,4 Mio. € im Vorjahr.\nDie Eigenkapitalquote verbesserte sich von 38,1 % auf 40,7 %, die Nettoverschuldung sank auf 311,5 Mio. €.\nFür das laufende Jahr erwartet der Vorstand einen Umsatz zwischen 2,4 und 2,5 Mrd. €.",
            ],
        ),
    ];
    out.push(drawn_tables());
    out
}

/// Tables of a company's segments, page after page, full of figures that look alike.
fn drawn_tables() -> Document {
    const SEGMENTS: [&str; 6] =
        ["Passenger services", "Freight services", "Terminal operations", "Ship leasing", "Retail on board", "Group functions"];
    const QUARTERS: [&str; 4] = ["first", "second", "third", "fourth"];
    let mut seed = 7u64;
    let mut draw = |low: u64, high: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (seed >> 33) % (high - low)
    };
    let pages = QUARTERS.iter().map(|quarter| {
        let mut page = format!("Segment information for the {quarter} quarter\n(in thousands of dollars)\n\n");
        for segment in SEGMENTS {
            let (now, before, result) = (draw(110_000, 990_000), draw(110_000, 990_000), draw(1_000, 60_000));
            page.push_str(&format!("{segment}   {},{:03}   {},{:03}   ({},{:03})\n", now / 1000, now % 1000, before / 1000, before % 1000, result / 1000, result % 1000));
        }
        let (share, growth, staff) = (draw(101, 499), draw(11, 99), draw(1_000, 9_000));
        page.push_str(&format!(
            "\nIn the {quarter} quarter {} contributed {}.{}% of segment revenue, which grew by {}.{}% at constant currency.\nAn average of {},{:03} people worked in the segments during the {quarter} quarter, and {} of them joined in the period.\n",
            SEGMENTS[(share % 6) as usize], share / 10, share % 10, growth / 10, growth % 10, staff / 1000, staff % 1000, staff / 9
        ));
        page
    });
    Document { name: "segments.pdf".into(), pages: pages.collect() }
}
