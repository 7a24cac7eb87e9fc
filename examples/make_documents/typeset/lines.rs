//! Breaking a text with inline marks into lines.

use anyhow::bail;

use super::fonts::{FIXED_SPACE, Face, Family};

/// A stretch of text in one face.
#[derive(Clone, Debug)]
pub struct Run {
    pub face: Face,
    pub text: String,
}

/// One line of text, not yet placed.
#[derive(Clone, Debug, Default)]
pub struct Line {
    pub runs: Vec<Run>,
    /// Points, without any stretching.
    pub width: f32,
    /// Number of spaces that can be stretched.
    pub spaces: usize,
    /// Last line of its paragraph: never stretched.
    pub last: bool,
}

impl Line {
    pub fn text(&self) -> String {
        self.runs.iter().map(|run| run.text.as_str()).collect()
    }
}

/// `**` switches bold, `*` switches italic; `\*` is a star.
fn runs_of(text: &str, family: Family) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let (mut bold, mut italic) = (false, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let shown = match c {
            '*' if chars.next_if_eq(&'*').is_some() => {
                bold = !bold;
                continue;
            }
            '*' => {
                italic = !italic;
                continue;
            }
            '\\' if chars.next_if_eq(&'*').is_some() => '*',
            '~' => FIXED_SPACE,
            '\'' => '’',
            '"' if runs.last().is_none_or(|run| run.text.ends_with([' ', '('])) => '“',
            '"' => '”',
            other => other,
        };
        let face = match (bold, italic) {
            (true, _) => family.bold,
            (_, true) => family.italic,
            _ => family.regular,
        };
        match runs.last_mut() {
            Some(run) if run.face == face => run.text.push(shown),
            _ => runs.push(Run { face, text: shown.to_string() }),
        }
    }
    runs
}

/// Splits runs at spaces: each word is a list of runs, since a face may change inside a word.
fn words_of(runs: Vec<Run>) -> Vec<Vec<Run>> {
    let mut words: Vec<Vec<Run>> = vec![Vec::new()];
    for run in runs {
        for (index, part) in run.text.split(' ').enumerate() {
            if index > 0 {
                words.push(Vec::new());
            }
            if let (false, Some(word)) = (part.is_empty(), words.last_mut()) {
                word.push(Run { face: run.face, text: part.to_string() });
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Fills lines of at most `width` points, word by word. Fails when a single word is wider.
pub fn break_lines(text: &str, family: Family, size: f32, width: f32) -> anyhow::Result<Vec<Line>> {
    let mut lines = Vec::new();
    let mut line = Line::default();
    for word in words_of(runs_of(text, family)) {
        let mut word_width = 0.0;
        for run in &word {
            word_width += run.face.width(&run.text, size)?;
        }
        if word_width > width {
            bail!("{:?} is wider than {width} points", word.iter().map(|run| run.text.as_str()).collect::<String>());
        }
        // A space takes the face of the word before it.
        let space = match line.runs.last() {
            Some(run) => run.face.width(" ", size)?,
            None => 0.0,
        };
        if !line.runs.is_empty() && line.width + space + word_width > width {
            lines.push(std::mem::take(&mut line));
        } else if let Some(run) = line.runs.last_mut() {
            run.text.push(' ');
            line.spaces += 1;
            line.width += space;
        }
        line.width += word_width;
        for run in word {
            line.spaces += run.text.matches(FIXED_SPACE).count();
            match line.runs.last_mut() {
                Some(last) if last.face == run.face => last.text.push_str(&run.text),
                _ => line.runs.push(run),
            }
        }
    }
    line.last = true;
    lines.push(line);
    Ok(lines)
}
