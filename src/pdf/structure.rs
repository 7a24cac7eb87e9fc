//! The structure tree of a tagged file (ISO 32000-2, 14.7): which marked content of which page is a heading, a cell, a caption.
//!
//! The tree is walked from its root, without recursion and within bounds: files nest it deep, in circles, or damaged.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier};

use super::roles::{Kind, Roles};
use super::text::{ContentId, Marking, RawPage};
use super::{Role, Tag};

/// Most elements and leaves of the tree that are looked at. A report of 400 pages has 15,000.
const NODES: usize = 1_500_000;
/// Most pieces of content that are kept; 32 bytes each.
const CONTENTS: usize = 1_000_000;
/// Longest time for the tree. A report of 400 pages takes a hundredth of it.
const TIME: Duration = Duration::from_secs(2);
/// Nodes between two looks at the clock.
const TICK: usize = 512;

/// What the pieces of marked content are.
#[derive(Debug, Default)]
pub(super) struct Structure {
    tags: HashMap<ContentId, Tag>,
}

/// What an element hands down.
#[derive(Debug, Clone, Copy, Default)]
struct Context {
    tag: Option<Tag>,
    page: Option<ObjectIdentifier>,
    sections: u8,
}

impl Structure {
    /// Reads the tree; empty where the file has none.
    pub(super) fn read(pdf: &Pdf) -> Self {
        let xref = pdf.xref();
        let root = xref.get::<Dict<'_>>(xref.root_id()).and_then(|catalog| catalog.get::<Dict<'_>>("StructTreeRoot"));
        let Some(root) = root else { return Self::default() };
        let map = root.get::<Dict<'_>>("RoleMap");
        let pairs = map.iter().flat_map(Dict::entries).filter_map(|(from, to)| match to {
            MaybeRef::NotRef(Object::Name(to)) => Some((from.to_vec(), to.to_vec())),
            _ => None,
        });
        let mut walk =
            Walk { pdf, roles: Roles::new(pairs), seen: HashSet::new(), open: Vec::new(), elements: 0, found: Self::default() };
        walk.open.extend(root.get_raw::<Object<'_>>("K").map(|kids| (kids, Context::default())));
        walk.run();
        walk.found
    }

    /// Tells the lines of these pages what they are.
    pub(super) fn tag(&self, pages: &mut [RawPage]) {
        for page in pages {
            for (line, marking) in page.lines.iter_mut().zip(&page.markings) {
                line.tag = match marking {
                    Marking::None => None,
                    Marking::Artifact => Some(Tag { role: Role::Artifact, element: 0 }),
                    Marking::Content(id) => self.tags.get(id).copied(),
                };
            }
            page.markings = Vec::new();
        }
    }
}

struct Walk<'a> {
    pdf: &'a Pdf,
    roles: Roles,
    seen: HashSet<ObjectIdentifier>,
    /// What is still to be looked at, the next one last.
    open: Vec<(MaybeRef<Object<'a>>, Context)>,
    /// Elements counted so far.
    elements: u32,
    found: Structure,
}

impl<'a> Walk<'a> {
    fn run(&mut self) {
        let started = Instant::now();
        let mut nodes = 0;
        while let Some((kid, context)) = self.open.pop() {
            nodes += 1;
            let late = nodes % TICK == 0 && started.elapsed() > TIME;
            if nodes > NODES || late || self.found.tags.len() >= CONTENTS {
                tracing::debug!(nodes, "the structure tree is too large; the rest of it is left out");
                break;
            }
            match kid {
                // Objects are asked of the cross-reference table and not of the element above; see `outline`.
                MaybeRef::Ref(r) => {
                    let id = ObjectIdentifier::from(r);
                    if self.seen.insert(id)
                        && let Some(object) = self.pdf.xref().get::<Object<'_>>(id)
                    {
                        self.look_at(object, context);
                    }
                }
                MaybeRef::NotRef(object) => self.look_at(object, context),
            }
        }
    }

    fn look_at(&mut self, object: Object<'a>, context: Context) {
        match object {
            Object::Number(n) => {
                if let Ok(mcid) = u32::try_from(n.as_i64()) {
                    self.content(context.page, mcid, context);
                }
            }
            Object::Array(kids) => self.kids(&kids, context),
            Object::Dict(dict) if dict.contains_key("S") => self.element(&dict, context),
            Object::Dict(dict) => {
                let Some(mcid) = dict.get::<u32>("MCID") else { return };
                // Content of a form is counted in the form, not on the page that shows it.
                let owner = dict.get_ref("Stm").or_else(|| dict.get_ref("Pg")).map(ObjectIdentifier::from);
                self.content(owner.or(context.page), mcid, context);
            }
            _ => {}
        }
    }

    fn content(&mut self, owner: Option<ObjectIdentifier>, mcid: u32, context: Context) {
        if let (Some(owner), Some(tag)) = (owner, context.tag) {
            self.found.tags.entry(ContentId { owner, mcid }).or_insert(tag);
        }
    }

    fn kids(&mut self, kids: &Array<'a>, context: Context) {
        let from = self.open.len();
        let room = NODES.saturating_sub(from);
        self.open.extend(kids.raw_iter().take(room).map(|kid| (kid, context)));
        if let Some(added) = self.open.get_mut(from..) {
            added.reverse();
        }
    }

    fn element(&mut self, dict: &Dict<'a>, mut context: Context) {
        self.elements = self.elements.saturating_add(1);
        let kind = dict.get::<Name<'_>>("S").map_or(Kind::Neutral, |name| self.roles.kind(&name));
        if kind == Kind::Section {
            context.sections = context.sections.saturating_add(1);
        }
        if let Some(role) = inside(context.tag.map(|t| t.role), kind, context.sections) {
            context.tag = Some(Tag { role, element: self.elements });
        }
        context.page = dict.get_ref("Pg").map(ObjectIdentifier::from).or(context.page);
        self.open.extend(dict.get_raw::<Object<'_>>("K").map(|kids| (kids, context)));
    }
}

/// What an element is inside one with a role; `None` where it is a part of that one.
fn inside(outer: Option<Role>, kind: Kind, sections: u8) -> Option<Role> {
    let role = match kind {
        Kind::Section | Kind::Neutral => return None,
        Kind::Heading(level) => Role::Heading(level.unwrap_or(sections.max(1))),
        Kind::Plain(role) => role,
    };
    let keeps = match outer {
        None | Some(Role::Paragraph) => false,
        // Numbered headings are written as items of lists.
        Some(Role::ListItem) => role == Role::Paragraph,
        Some(Role::Heading(_) | Role::Title) => !matches!(role, Role::Note | Role::Artifact),
        // A table of figures' cells and a list in a cell are cells; what is said under either is a caption or a note.
        Some(_) => !matches!(role, Role::Caption | Role::Note | Role::Artifact),
    };
    // Rows, cells and items inside their own kind: each is an element of its own.
    let same = outer == Some(role) && matches!(role, Role::Cell | Role::ListItem | Role::Contents);
    (same || !keeps).then_some(role)
}
