//! Optional content: which layers of a file are switched off when it is opened.

use std::collections::HashSet;

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, MaybeRef, Name, ObjectIdentifier};

/// The groups that are off in the file's default configuration.
#[derive(Debug, Default)]
pub(super) struct Layers {
    off: HashSet<ObjectIdentifier>,
}

impl Layers {
    /// Reads the catalogue of the file.
    pub(super) fn read(pdf: &Pdf) -> Self {
        let xref = pdf.xref();
        let properties = xref.get::<Dict<'_>>(xref.root_id()).and_then(|root| root.get::<Dict<'_>>("OCProperties"));
        let Some(properties) = properties else { return Self::default() };
        let mut off = HashSet::new();
        if let Some(default) = properties.get::<Dict<'_>>("D") {
            if default.get::<Name<'_>>("BaseState").is_some_and(|n| n.as_ref() == b"OFF") {
                off.extend(references(properties.get("OCGs")));
                for on in references(default.get("ON")) {
                    off.remove(&on);
                }
            }
            off.extend(references(default.get("OFF")));
            let automatic = default.get::<Array<'_>>("AS");
            for event in automatic.iter().flat_map(Array::iter::<Dict<'_>>) {
                if event.get::<Name<'_>>("Event").is_some_and(|n| n.as_ref() == b"View") {
                    let groups = event.get::<Array<'_>>("OCGs");
                    for id in references(groups) {
                        match view_state(xref.get::<Dict<'_>>(id)).as_deref() {
                            Some(b"OFF") => _ = off.insert(id),
                            Some(b"ON") => _ = off.remove(&id),
                            _ => {}
                        }
                    }
                }
            }
        }
        Self { off }
    }

    /// Whether a visibility expression (ISO 32000, 8.11.2.2) holds. One that cannot be understood does.
    fn holds(&self, expression: &Array<'_>, depth: u32) -> bool {
        /// Expressions nested deeper than this hold.
        const DEEPEST: u32 = 16;
        let mut items = expression.raw_iter();
        let operator = match items.next() {
            Some(MaybeRef::NotRef(object)) => object.into_name(),
            _ => None,
        };
        let mut operands = items.map(|item| match item {
            MaybeRef::Ref(r) => !self.off.contains(&r.into()),
            MaybeRef::NotRef(object) => object.into_array().is_none_or(|inner| depth >= DEEPEST || self.holds(&inner, depth + 1)),
        });
        match operator.as_deref() {
            Some(b"And") => operands.all(|on| on),
            Some(b"Or") => operands.any(|on| on),
            Some(b"Not") => !operands.next().unwrap_or(false),
            _ => true,
        }
    }

    /// Whether content marked with this group or membership dictionary is not shown.
    pub(super) fn hides(&self, mark: &Dict<'_>) -> bool {
        if self.off.is_empty() {
            return false;
        }
        if mark.get::<Name<'_>>("Type").is_none_or(|n| n.as_ref() != b"OCMD") {
            return mark.obj_id().is_some_and(|id| self.off.contains(&id));
        }
        if let Some(expression) = mark.get::<Array<'_>>("VE") {
            return !self.holds(&expression, 0);
        }
        let groups = match mark.get::<Array<'_>>("OCGs") {
            Some(list) => references(Some(list)),
            None => mark.get_ref("OCGs").map(ObjectIdentifier::from).into_iter().collect(),
        };
        if groups.is_empty() {
            return false;
        }
        let off = groups.iter().filter(|id| self.off.contains(id)).count();
        match mark.get::<Name<'_>>("P").as_deref() {
            Some(b"AllOn") => off > 0,
            Some(b"AnyOff") => off == 0,
            Some(b"AllOff") => off < groups.len(),
            _ => off == groups.len(),
        }
    }
}

/// What a group says of itself for reading on a screen.
fn view_state(group: Option<Dict<'_>>) -> Option<Name<'_>> {
    group?.get::<Dict<'_>>("Usage")?.get::<Dict<'_>>("View")?.get::<Name<'_>>("ViewState")
}

fn references(list: Option<Array<'_>>) -> Vec<ObjectIdentifier> {
    let items = list.iter().flat_map(Array::raw_iter);
    items.filter_map(|item| if let MaybeRef::Ref(r) = item { Some(r.into()) } else { None }).collect()
}
