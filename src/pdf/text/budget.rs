//! What one page may cost.

use std::time::Instant;

use crate::pdf::Limits;

/// Counts down while a page is read.
#[derive(Debug)]
pub(super) struct Budget {
    operators: usize,
    glyphs: usize,
    deadline: Option<Instant>,
    spent: bool,
}

/// Steps between two looks at the clock.
const CLOCK_STEPS: usize = 4096;

impl Budget {
    /// A page's share, starting now.
    pub(super) fn for_page(limits: &Limits) -> Self {
        Self {
            operators: limits.page_operators,
            glyphs: limits.page_glyphs,
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
