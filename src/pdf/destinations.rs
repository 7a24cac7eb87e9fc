//! Where a bookmark leads: explicit destinations, named ones (the name tree and the older dictionary), and actions that go to them.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier, String as PdfString};

use super::page_table::PageTable;

/// Most names read from the name tree; the largest document seen has 40,000.
const NAMES: usize = 500_000;

/// Most nodes of the name tree visited.
const NODES: usize = 100_000;

/// A name may lead to a dictionary that leads to a name; more steps than this are a loop.
const STEPS: usize = 8;

/// A place in this file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Target {
    /// Physical page, 1-based.
    pub page: u32,
    /// Distance from the top of the page as shown, in points.
    pub top: Option<i32>,
}

/// Resolves destinations. Names are read once, when the first one is asked for.
pub(super) struct Destinations<'a> {
    pdf: &'a Pdf,
    table: &'a PageTable,
    named: OnceCell<HashMap<Vec<u8>, Object<'a>>>,
    old: Option<Dict<'a>>,
}

impl<'a> Destinations<'a> {
    pub(super) fn new(pdf: &'a Pdf, table: &'a PageTable) -> Self {
        let old = catalog(pdf).and_then(|c| c.get::<Dict<'_>>("Dests"));
        Self { pdf, table, named: OnceCell::new(), old }
    }

    /// Where an outline entry leads: its destination, else its action where that goes to a place in this file.
    pub(super) fn of_entry(&self, entry: &Dict<'a>) -> Option<Target> {
        let direct = entry.get::<Object<'_>>("Dest").and_then(|d| self.resolve(d));
        direct.or_else(|| self.of_action(&entry.get::<Dict<'_>>("A")?))
    }

    fn of_action(&self, action: &Dict<'a>) -> Option<Target> {
        match action.get::<Name<'_>>("S").as_ref().map(Name::as_str) {
            // Other actions lead out of the file (GoToR, GoToE, URI, Launch) or do something else.
            Some("GoTo") | None => self.resolve(action.get::<Object<'_>>("D")?),
            _ => None,
        }
    }

    fn resolve(&self, start: Object<'a>) -> Option<Target> {
        let mut object = start;
        for _ in 0..STEPS {
            object = match object {
                Object::Array(place) => return self.explicit(&place),
                Object::Dict(dict) => dict.get::<Object<'_>>("D")?,
                Object::String(name) => self.by_name(name.as_bytes())?,
                Object::Name(name) => self.by_name(&name)?,
                _ => return None,
            };
        }
        None
    }

    /// Strings belong to the tree and names to the older dictionary, but some writers mix them up.
    fn by_name(&self, name: &[u8]) -> Option<Object<'a>> {
        let from_tree = self.named.get_or_init(|| self.read_names()).get(name).cloned();
        from_tree.or_else(|| self.old.as_ref()?.get::<Object<'_>>(name))
    }

    fn explicit(&self, place: &Array<'a>) -> Option<Target> {
        let mut items = place.raw_iter();
        let page = match items.next()? {
            MaybeRef::Ref(r) => self.table.number_of(r.into())?,
            // Page indices belong to other files' destinations; here they are an old mistake with a clear meaning.
            MaybeRef::NotRef(Object::Number(n)) => u32::try_from(n.as_i64().checked_add(1)?).ok()?,
            MaybeRef::NotRef(_) => return None,
        };
        if page == 0 || page > self.table.len() {
            return None;
        }
        let rest: Vec<Option<Object<'a>>> = items
            .take(6)
            .map(|item| match item {
                MaybeRef::Ref(r) => self.pdf.xref().get::<Object<'_>>(r.into()),
                MaybeRef::NotRef(object) => Some(object),
            })
            .collect();
        Some(Target { page, top: self.top(page, &rest) })
    }

    /// The distance from the top. On a turned page only XYZ gives both coordinates that are needed.
    fn top(&self, page: u32, rest: &[Option<Object<'a>>]) -> Option<i32> {
        let number = |i: usize| match rest.get(i) {
            Some(Some(Object::Number(n))) => Some(n.as_f64()),
            _ => None,
        };
        let kind = match rest.first() {
            Some(Some(Object::Name(name))) => name.as_str(),
            _ => return None,
        };
        let (x, y) = match kind {
            "XYZ" => (number(1), number(2)),
            "FitH" | "FitBH" => (None, number(1)),
            "FitR" => (number(1), number(4)),
            _ => (None, None),
        };
        let page = self.pdf.pages().get(self.table.place(page)?)?;
        let [_, b, _, d, _, f] = page.initial_transform(true).as_coeffs();
        let across = if b.abs() > 1e-6 { b * x? } else { 0.0 };
        let down = if d.abs() > 1e-6 { d * y? } else { 0.0 };
        let (_, height) = page.render_dimensions();
        let top = (across + down + f).clamp(0.0, f64::from(height));
        // Bounded by the height of the page, which is a 32-bit float: a cast that saturates is right.
        #[allow(clippy::cast_possible_truncation, reason = "saturates, and pages are far smaller than i32::MAX points")]
        top.is_finite().then_some(top.round() as i32)
    }

    fn read_names(&self) -> HashMap<Vec<u8>, Object<'a>> {
        let xref = self.pdf.xref();
        let mut names = HashMap::new();
        let tree = catalog(self.pdf).and_then(|c| c.get::<Dict<'_>>("Names")).and_then(|n| n.get::<Dict<'_>>("Dests"));
        let mut open: Vec<Dict<'a>> = tree.into_iter().collect();
        let mut seen: HashSet<ObjectIdentifier> = HashSet::new();
        let mut nodes = 0;
        while let Some(node) = open.pop() {
            nodes += 1;
            if nodes > NODES || names.len() > NAMES {
                tracing::debug!("the tree of named destinations is too large; the rest of it is left out");
                break;
            }
            if let Some(pairs) = node.get::<Array<'_>>("Names") {
                read_pairs(self.pdf, &pairs, &mut names);
            }
            for kid in node.get::<Array<'_>>("Kids").into_iter().flat_map(|kids| kids.raw_iter()) {
                let kid = match kid {
                    MaybeRef::Ref(r) if seen.insert(r.into()) => xref.get::<Dict<'_>>(r.into()),
                    MaybeRef::Ref(_) => None,
                    MaybeRef::NotRef(object) => object.into_dict(),
                };
                open.extend(kid);
            }
        }
        names
    }
}

fn read_pairs<'a>(pdf: &'a Pdf, pairs: &Array<'a>, names: &mut HashMap<Vec<u8>, Object<'a>>) {
    let mut name: Option<PdfString<'a>> = None;
    for (i, item) in pairs.raw_iter().enumerate() {
        if names.len() > NAMES {
            return;
        }
        let object = match item {
            MaybeRef::Ref(r) => pdf.xref().get::<Object<'_>>(r.into()),
            MaybeRef::NotRef(object) => Some(object),
        };
        if i % 2 == 0 {
            name = object.and_then(Object::into_string);
        } else if let (Some(name), Some(object)) = (name.take(), object) {
            names.entry(name.as_bytes().to_vec()).or_insert(object);
        }
    }
}

fn catalog(pdf: &Pdf) -> Option<Dict<'_>> {
    pdf.xref().get::<Dict<'_>>(pdf.xref().root_id())
}
