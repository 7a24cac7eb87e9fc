//! The marked content of a page, which the structure tree of a tagged file refers to.

use hayro_syntax::object::ObjectIdentifier;

/// A piece of marked content: the page or form that counts it, and its number there (MCID).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ContentId {
    pub(crate) owner: ObjectIdentifier,
    pub(crate) mcid: u32,
}

/// What a line is drawn as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marking {
    /// Not marked, or not for the structure tree.
    None,
    /// No part of the text, by the file's own word.
    Artifact,
    /// A piece of marked content.
    Content(ContentId),
}

/// The pieces of marked content of a page, by the number that glyphs keep.
#[derive(Debug, Default)]
pub(super) struct Marked {
    contents: Vec<ContentId>,
}

impl Marked {
    /// The mark of glyphs that belong to no marked content.
    pub(super) const NONE: u16 = 0;
    /// The mark of glyphs that are no part of the text.
    pub(super) const ARTIFACT: u16 = u16::MAX;

    /// The mark for a piece of content. Beyond 65,534 pieces on a page all are unmarked.
    pub(super) fn mark(&mut self, id: ContentId) -> u16 {
        if self.contents.last() != Some(&id) && self.contents.len() + 1 < usize::from(Self::ARTIFACT) {
            self.contents.push(id);
        }
        let last = self.contents.last().is_some_and(|last| *last == id);
        u16::try_from(self.contents.len()).ok().filter(|_| last).unwrap_or(Self::NONE)
    }

    /// Whether there is no content for the structure tree.
    pub(super) fn is_empty(&self) -> bool {
        self.contents.is_empty()
    }

    /// What glyphs with this mark are drawn as.
    pub(super) fn marking(&self, mark: u16) -> Marking {
        match mark {
            Self::ARTIFACT => Marking::Artifact,
            mark => usize::from(mark)
                .checked_sub(1)
                .and_then(|i| self.contents.get(i))
                .map_or(Marking::None, |id| Marking::Content(*id)),
        }
    }
}
