//! Which page has which number, also where some pages of the tree are missing.

use std::collections::{HashMap, HashSet};

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier};

/// Deepest page tree that is walked; real ones have fewer than ten levels.
const DEPTH: usize = 64;

/// Kids looked at for each page that may be read. A tree of empty nodes that name each other several times would go on without end.
const KIDS_PER_PAGE: usize = 4;

/// The pages of a file by physical number.
#[derive(Debug, Default)]
pub(super) struct PageTable {
    /// For each page, its index in hayro-syntax's list; `None` where the tree names a page that cannot be read.
    places: Vec<Option<usize>>,
    numbers: HashMap<ObjectIdentifier, u32>,
}

/// What the page tree looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TreeState {
    /// The catalog leads to a root with kids.
    Whole,
    /// A root that has no kids and counts none.
    Empty,
    /// No root can be read: whatever pages were found have neither a known order nor a known number.
    Lost,
}

/// Looks at the root of the page tree.
pub(super) fn tree_state(pdf: &Pdf) -> TreeState {
    match root(pdf) {
        None => TreeState::Lost,
        Some(root) => match root.get::<Array<'_>>("Kids") {
            Some(kids) if kids.raw_iter().next().is_some() => TreeState::Whole,
            // Some writers give a single page in place of the tree.
            None if root.get::<Name<'_>>("Type").is_some_and(|t| t.as_str() == "Page") => TreeState::Whole,
            _ if root.get::<i64>("Count").is_some_and(|n| n > 0) => TreeState::Lost,
            _ => TreeState::Empty,
        },
    }
}

impl PageTable {
    /// Numbers the pages, at most `limit` of them.
    pub(super) fn new(pdf: &Pdf, limit: u32) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let pages = pdf.pages();
        let mut index_of = HashMap::with_capacity(pages.len());
        for (index, page) in pages.iter().enumerate() {
            if let Some(id) = page.raw().obj_id() {
                index_of.entry(id).or_insert(index);
            }
        }
        let declared = root(pdf).and_then(|r| r.get::<i64>("Count")).and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
        // hayro-syntax leaves out pages that cannot be read and those that the tree names again. Where its count agrees with the tree's
        // own, kids that cannot be read are no pages.
        let walked = walk(pdf, &index_of, limit).filter(|places| declared > pages.len() || places.iter().all(Option::is_some));
        let mut places = walked.unwrap_or_else(|| (0..pages.len()).map(Some).collect());
        places.truncate(limit);
        let mut numbers = HashMap::with_capacity(places.len());
        for (number, place) in (1_u32..).zip(&places) {
            if let Some(id) = place.and_then(|p| pages.get(p)).and_then(|p| p.raw().obj_id()) {
                numbers.entry(id).or_insert(number);
            }
        }
        Self { places, numbers }
    }

    /// Number of pages, those that cannot be read included.
    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.places.len()).unwrap_or(u32::MAX)
    }

    /// Number of pages that can be read.
    pub(super) fn readable(&self) -> usize {
        self.places.iter().flatten().count()
    }

    /// Whether the tree names pages that cannot be read.
    pub(super) fn has_gaps(&self) -> bool {
        self.places.iter().any(Option::is_none)
    }

    /// Index of a page in hayro-syntax's list.
    pub(super) fn place(&self, number: u32) -> Option<usize> {
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        self.places.get(index).copied().flatten()
    }

    /// Physical number of the page that is this object.
    pub(super) fn number_of(&self, id: ObjectIdentifier) -> Option<u32> {
        self.numbers.get(&id).copied()
    }
}

fn root(pdf: &Pdf) -> Option<Dict<'_>> {
    let xref = pdf.xref();
    xref.get::<Dict<'_>>(xref.root_id())?.get::<Dict<'_>>("Pages")
}

/// The leaves of the page tree in order; a page that the tree names twice is two pages, as in every viewer. `None` where the walk finds
/// other pages than hayro-syntax did.
fn walk(pdf: &Pdf, index_of: &HashMap<ObjectIdentifier, usize>, limit: usize) -> Option<Vec<Option<usize>>> {
    let xref = pdf.xref();
    let root = root(pdf)?;
    let mut places = Vec::new();
    let mut found = HashSet::new();
    let mut kids_left = limit.saturating_mul(KIDS_PER_PAGE);
    // The nodes from the root to the current one, each with the kids that are still to come.
    let mut path = vec![(root.obj_id(), root.get::<Array<'_>>("Kids")?.raw_iter())];
    while let Some((_, kids)) = path.last_mut() {
        let Some(kid) = kids.next() else {
            path.pop();
            continue;
        };
        if places.len() >= limit {
            break;
        }
        kids_left = kids_left.checked_sub(1)?;
        let MaybeRef::Ref(reference) = kid else { return None };
        let id = ObjectIdentifier::from(reference);
        if let Some(index) = index_of.get(&id) {
            places.push(Some(*index));
            found.insert(id);
            continue;
        }
        if path.iter().any(|(node, _)| *node == Some(id)) {
            continue;
        }
        let inner = xref.get::<Object<'_>>(id).and_then(Object::into_dict).and_then(|d| d.get::<Array<'_>>("Kids"));
        match inner {
            Some(kids) if path.len() < DEPTH => path.push((Some(id), kids.raw_iter())),
            Some(_) => {}
            None => places.push(None),
        }
    }
    (found.len() == pdf.pages().len() || places.len() >= limit).then_some(places)
}
