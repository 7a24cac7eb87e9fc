//! The questions: one JSON object a line.

use std::path::Path;

use serde::Deserialize;

use crate::error::{Error, Result};

/// One question. Fields that are not listed here (gold answers, evidence) are left to the scorer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Question {
    /// Identity in the file; a number is taken as its digits.
    #[serde(deserialize_with = "text_or_number")]
    pub id: String,
    /// File name of the document.
    pub doc: String,
    /// What is asked.
    pub question: String,
    /// Physical pages that hold the evidence, where the file gives them.
    #[serde(default)]
    pub evidence_pages: Vec<u32>,
    /// Further pages that are as good.
    #[serde(default)]
    pub also_acceptable_pages: Vec<u32>,
}

fn text_or_number<'de, D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<String, D::Error> {
    match serde_json::Value::deserialize(deserializer)? {
        serde_json::Value::String(text) => Ok(text),
        serde_json::Value::Number(number) => Ok(number.to_string()),
        _ => Err(serde::de::Error::custom("the id must be a text or a number")),
    }
}

/// Reads a file of questions.
///
/// # Errors
/// [`Error::Settings`] names the first line that is no question, or an id that stands twice.
pub fn read_questions(path: &Path) -> Result<Vec<Question>> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| Error::Io { what: format!("the questions {} cannot be read", path.display()), source })?;
    let mut questions: Vec<Question> = Vec::new();
    let mut ids = std::collections::HashSet::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let question: Question = serde_json::from_str(line)
            .map_err(|error| Error::Settings(format!("{} line {}: {error}", path.display(), number + 1)))?;
        if !ids.insert(question.id.clone()) {
            return Err(Error::Settings(format!("{} line {}: the id {} stands twice", path.display(), number + 1, question.id)));
        }
        questions.push(question);
    }
    if questions.is_empty() {
        return Err(Error::Settings(format!("{} holds no question", path.display())));
    }
    Ok(questions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_line_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("q.jsonl");
        std::fs::write(&path, "{\"id\":\"a\",\"doc\":\"d.pdf\",\"question\":\"q\",\"answer\":\"x\"}\n\n").unwrap();
        assert_eq!(read_questions(&path).unwrap().len(), 1);
        std::fs::write(&path, "{\"id\":\"a\",\"doc\":\"d.pdf\",\"question\":\"q\"}\n{\"id\":\"b\"}\n").unwrap();
        assert!(read_questions(&path).unwrap_err().to_string().contains("line 2"));
        let twice = "{\"id\":\"a\",\"doc\":\"d.pdf\",\"question\":\"q\"}\n".repeat(2);
        std::fs::write(&path, twice).unwrap();
        assert!(read_questions(&path).unwrap_err().to_string().contains("twice"));
    }
}
