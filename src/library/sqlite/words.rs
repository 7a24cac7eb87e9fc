//! Everything about the words of a document that is stored, worked out before the write begins.

use std::collections::HashMap;

use crate::index::{IndexedPage, Node};
use crate::search::analysis::{Analyzer, Language};
use crate::search::{StoredWords, Strengths, hashes, level, marked};

/// Titles kept for a page of sections that go on over it; deeper ones say more and are kept.
const COVERS_PER_PAGE: usize = 8;
/// Bytes of a title or summary that are read.
const SECTION_BYTES: usize = 20_000;
/// Most sections of a document that are ranked by themselves.
const MAX_SECTIONS: usize = 100_000;
/// Most words of its pages by which a document is found as a whole. Others are still found page by page.
const TEXT_WORDS: usize = 1_000;

/// The words of one page.
pub(super) struct PageWords {
    pub(super) number: u32,
    pub(super) body: Vec<u8>,
    pub(super) starts: Vec<u8>,
    pub(super) covers: Vec<u8>,
    /// Its distinct stems, for the full-text index.
    pub(super) stems: String,
}

/// One section to rank.
pub(super) struct Section {
    pub(super) node_id: String,
    pub(super) title: String,
    pub(super) start_index: u32,
    pub(super) end_index: u32,
    pub(super) title_words: Vec<u8>,
    pub(super) summary_words: Vec<u8>,
}

/// The words of a document.
pub(super) struct DocumentWords {
    pub(super) language: Language,
    pub(super) pages: Vec<PageWords>,
    pub(super) sections: Vec<Section>,
    /// Marked stems for the document index.
    pub(super) stems: String,
}

/// Reads all words of a document. `titled` says that its sections are sections and not mere groups of pages.
pub(super) fn read(pages: &[IndexedPage], tree: &[Node], titled: bool) -> DocumentWords {
    let language = Language::guess(pages.iter().map(|page| page.text.as_str()));
    let mut reader = Reader { analyzer: Analyzer::new(language), counts: HashMap::new(), heading_words: 0, summary_words: 0 };
    let mut sections = Vec::new();
    let mut depths = Vec::new();
    reader.sections(tree, 0, &mut sections, &mut depths);
    let mut pages: Vec<PageWords> = pages.iter().map(|page| reader.page(page.number, &page.text)).collect();
    if titled {
        spread_titles(&sections, &depths, &mut pages);
    }
    let stems = reader.document_stems(pages.len());
    DocumentWords { language, pages, sections, stems }
}

#[derive(Default)]
struct Counts {
    pages: u32,
    headings: u32,
    summaries: u32,
}

struct Reader {
    analyzer: Analyzer,
    counts: HashMap<usize, Counts>,
    heading_words: usize,
    summary_words: usize,
}

impl Reader {
    /// The sections in document order, with their depths.
    fn sections(&mut self, nodes: &[Node], depth: usize, sections: &mut Vec<Section>, depths: &mut Vec<usize>) {
        // Trees may be deeper than the stack likes; this walk keeps its own.
        let mut waiting: Vec<(&Node, usize)> = nodes.iter().rev().map(|node| (node, depth)).collect();
        while let Some((node, depth)) = waiting.pop() {
            if sections.len() >= MAX_SECTIONS {
                return;
            }
            let section = self.section(node);
            sections.push(section);
            depths.push(depth);
            waiting.extend(node.nodes.iter().rev().map(|child| (child, depth + 1)));
        }
    }

    fn section(&mut self, node: &Node) -> Section {
        let titles = std::iter::once(&node.title).chain(&node.key_items).map(String::as_str).collect::<Vec<_>>().join("\n");
        let title = StoredWords::read(&mut self.analyzer, bounded(&titles));
        let summary = StoredWords::read(&mut self.analyzer, bounded(node.summary.as_deref().unwrap_or_default()));
        self.heading_words += title.bytes.len() / 4;
        self.summary_words += summary.bytes.len() / 4;
        for index in &title.distinct {
            self.counts.entry(*index).or_default().headings += 1;
        }
        for index in &summary.distinct {
            self.counts.entry(*index).or_default().summaries += 1;
        }
        Section {
            node_id: node.node_id.clone(),
            title: node.title.clone(),
            start_index: node.start_index,
            end_index: node.end_index,
            title_words: title.bytes,
            summary_words: summary.bytes,
        }
    }

    fn page(&mut self, number: u32, text: &str) -> PageWords {
        let words = StoredWords::read(&mut self.analyzer, text);
        for index in &words.distinct {
            self.counts.entry(*index).or_default().pages += 1;
        }
        let stems: Vec<&str> = words.distinct.iter().map(|index| self.analyzer.stem(*index)).collect();
        PageWords { number, stems: stems.join(" "), body: words.bytes, starts: Vec::new(), covers: Vec::new() }
    }

    /// The words that stand for the document: all of its titles and summaries, and those on most of its pages.
    fn document_stems(&self, pages: usize) -> String {
        let mut by_pages: Vec<(u32, usize)> =
            self.counts.iter().filter(|(_, counts)| counts.pages > 0).map(|(index, counts)| (counts.pages, *index)).collect();
        by_pages.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let least = by_pages.get(TEXT_WORDS).map_or(0, |(pages, _)| *pages + 1);
        let mut stems = String::new();
        for (index, counts) in &self.counts {
            let text = if counts.pages >= least { counts.pages } else { 0 };
            if counts.headings + counts.summaries + text == 0 {
                continue;
            }
            let strength = Strengths::headings(counts.headings, self.heading_words)
                + Strengths::summaries(counts.summaries, self.summary_words)
                + Strengths::text(text, pages);
            if !stems.is_empty() {
                stems.push(' ');
            }
            stems += &marked(self.analyzer.stem(*index), level(strength));
        }
        stems
    }
}

/// Gives each page the title words of the sections that start on it and of those that go on over it.
fn spread_titles(sections: &[Section], depths: &[usize], pages: &mut [PageWords]) {
    let mut covering: Vec<(usize, &Section)> = Vec::new();
    let mut next = 0;
    let mut order: Vec<usize> = (0..sections.len()).collect();
    order.sort_by_key(|at| sections.get(*at).map_or(0, |section| section.start_index));
    for page in pages {
        covering.retain(|(_, section)| section.end_index >= page.number);
        let mut deepest: Vec<&(usize, &Section)> = covering.iter().collect();
        deepest.sort_by_key(|(depth, _)| std::cmp::Reverse(*depth));
        for (_, section) in deepest.into_iter().take(COVERS_PER_PAGE) {
            extend_line(&mut page.covers, &section.title_words);
        }
        while let Some(at) = order.get(next) {
            let (Some(section), Some(depth)) = (sections.get(*at), depths.get(*at)) else { break };
            if section.start_index > page.number {
                break;
            }
            extend_line(&mut page.starts, &section.title_words);
            covering.push((*depth, section));
            next += 1;
        }
    }
}

fn extend_line(words: &mut Vec<u8>, line: &[u8]) {
    if hashes(line).any(|hash| hash != 0) {
        words.extend_from_slice(line);
        words.extend_from_slice(&0_u32.to_le_bytes());
    }
}

fn bounded(text: &str) -> &str {
    let mut cut = text.len().min(SECTION_BYTES);
    while !text.is_char_boundary(cut) {
        cut -= 1;
    }
    text.get(..cut).unwrap_or_default()
}
