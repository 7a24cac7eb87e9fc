//! What one page may cost.

use std::borrow::Cow;
use std::time::Instant;

use hayro_syntax::object::Stream;

use crate::pdf::Limits;
use crate::pdf::unpack::{Failed, STREAM_BYTES, decoded_within};

/// Counts down while a page is read.
#[derive(Debug)]
pub(super) struct Budget {
    operators: usize,
    glyphs: usize,
    bytes: usize,
    deadline: Option<Instant>,
    spent: bool,
}

/// Most bytes that the content of one page may unpack to, each run of a form counted. The largest seen that was honest has 8 MB.
const CONTENT_BYTES: usize = 64 << 20;

/// Steps between two looks at the clock.
const CLOCK_STEPS: usize = 4096;

impl Budget {
    /// A page's share, starting now.
    pub(super) fn for_page(limits: &Limits) -> Self {
        Self {
            operators: limits.page_operators,
            glyphs: limits.page_glyphs,
            bytes: CONTENT_BYTES,
            deadline: Instant::now().checked_add(limits.page_time),
            spent: false,
        }
    }

    /// Takes one operator; `false` when the page must end here.
    pub(super) fn operator(&mut self) -> bool {
        if self.operators == 0 {
            self.spent = true;
        } else {
            self.operators -= 1;
            if self.operators.is_multiple_of(CLOCK_STEPS) {
                self.look_at_clock();
            }
        }
        !self.spent
    }

    /// Takes one glyph; `false` when the page must end here.
    pub(super) fn glyph(&mut self) -> bool {
        if self.glyphs == 0 {
            self.spent = true;
        } else {
            self.glyphs -= 1;
            if self.glyphs.is_multiple_of(CLOCK_STEPS) {
                self.look_at_clock();
            }
        }
        !self.spent
    }

    /// Unpacks a content stream; `None` when it cannot be unpacked or would be too large, or no time is left.
    pub(super) fn unpack<'a>(&mut self, stream: &Stream<'a>) -> Option<Cow<'a, [u8]>> {
        // Parts of a page can be many thousands, each of them slow.
        self.look_at_clock();
        if self.spent {
            return None;
        }
        match decoded_within(stream, self.bytes.min(STREAM_BYTES)) {
            Ok(content) => {
                self.bytes = self.bytes.saturating_sub(content.len());
                Some(content)
            }
            Err(Failed::TooLarge) => {
                self.spent = true;
                None
            }
            Err(Failed::Broken) => None,
        }
    }

    /// Whether a bound was reached.
    pub(super) fn is_spent(&self) -> bool {
        self.spent
    }

    fn look_at_clock(&mut self) {
        if self.deadline.is_some_and(|d| Instant::now() > d) {
            self.spent = true;
        }
    }
}
