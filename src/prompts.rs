//! What models are told, as texts of `prompts/`: compiled in, and each of them to be replaced by a file of the same name in a folder of the
//! user's. It knows no tool and no model.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::error::{Error, Result};

/// Most bytes of a file that replaces a prompt: far more than any model reads with care.
const LONGEST: u64 = 64 * 1024;

macro_rules! prompts {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)+) => {
        /// One of the texts.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Prompt {
            $($(#[$doc])* $variant,)+
        }

        impl Prompt {
            /// All of them, in the order of their use.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// Its name: that of its file, without `.md`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// The text that is compiled in.
            pub fn built_in(self) -> &'static str {
                match self {
                    $(Self::$variant => include_str!(concat!("../prompts/", $name, ".md")),)+
                }
            }
        }
    };
}

prompts! {
    /// Who the agent is, and the rules that hold always. The agent instructions are made of this and what follows, in this order.
    Role = "role",
    /// How a document is found in the whole library.
    FindInLibrary = "find_in_library",
    /// The same where the conversation is limited to certain documents.
    FindInScope = "find_in_scope",
    /// How to read, to use the tools and to answer.
    ReadAndAnswer = "read_and_answer",
    /// How to cite with the tag that is resolved and checked here.
    Cite = "cite",
    /// How to cite where an answer is shown as it is written.
    CiteMarkdown = "cite_markdown",
    /// How documents are deleted, where that can be done.
    Management = "management",
    /// What stands before the list of target documents.
    Targets = "targets",
    /// Said on the last turn.
    LastTurn = "last_turn",
    /// Said after an empty reply. This and the three that follow are said once in a run and are no part of the conversation afterwards.
    AskEmpty = "ask_empty",
    /// Said after an answer with claims and without any citation.
    AskCitations = "ask_citations",
    /// Said after a text that only says what will be done.
    AskGoOn = "ask_go_on",
    /// Said after a call written as text that names no tool.
    AskNoSuchCall = "ask_no_such_call",
    /// For proposing headings of a long section.
    ProposeHeadings = "propose_headings",
    /// For summarising a section.
    SummariseSection = "summarise_section",
    /// For describing a document.
    DescribeDocument = "describe_document",
}

/// The texts in use. Cheap to clone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prompts {
    replaced: Arc<BTreeMap<Prompt, String>>,
}

impl Prompts {
    /// The texts that are compiled in, with those replaced for which the folder has a file `NAME.md`. An empty file leaves that text out, but for
    /// what cannot be left out ([`Prompts::needed`]).
    /// Files that do not end with `.md` are not looked at.
    ///
    /// # Errors
    /// [`Error::Io`] when folder or file cannot be read, [`Error::Settings`] for a file that replaces nothing, is no UTF-8 or longer than
    /// 64 KiB.
    pub fn from_folder(folder: &Path) -> Result<Self> {
        let io = |what: &Path| {
            let what = format!("the prompts in {} cannot be read", what.display());
            move |source| Error::Io { what, source }
        };
        let mut replaced = BTreeMap::new();
        for entry in std::fs::read_dir(folder).map_err(io(folder))? {
            let path = entry.map_err(io(folder))?.path();
            if path.extension().is_none_or(|extension| extension != "md") {
                continue;
            }
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let prompt = *Prompt::ALL.iter().find(|prompt| prompt.name() == name).ok_or_else(|| unknown(&path, &name))?;
            if std::fs::metadata(&path).map_err(io(&path))?.len() > LONGEST {
                return Err(Error::Settings(format!("the prompt {} is longer than {} KiB", path.display(), LONGEST / 1024)));
            }
            let text = String::from_utf8(std::fs::read(&path).map_err(io(&path))?)
                .map_err(|_| Error::Settings(format!("the prompt {} is not UTF-8 text", path.display())))?;
            replaced.insert(prompt, text.trim_start_matches('\u{feff}').to_owned());
        }
        Ok(Self { replaced: Arc::new(replaced) })
    }

    /// The text in use.
    pub fn text(&self, prompt: Prompt) -> &str {
        self.replaced.get(&prompt).map_or_else(|| prompt.built_in(), String::as_str)
    }

    /// The text in use, without white space around it; that of the program where it was left out, for what cannot be left out.
    pub fn needed(&self, prompt: Prompt) -> &str {
        let text = self.text(prompt).trim();
        if text.is_empty() { prompt.built_in().trim() } else { text }
    }

    /// Whether this text is not the one that is compiled in.
    pub fn is_replaced(&self, prompt: Prompt) -> bool {
        self.text(prompt) != prompt.built_in()
    }

    /// A short mark of those among these texts that are replaced; empty when none is.
    pub fn fingerprint(&self, of: &[Prompt]) -> String {
        let mut hash = Sha256::new();
        for prompt in of.iter().filter(|prompt| self.is_replaced(**prompt)) {
            hash.update(prompt.name());
            hash.update([0]);
            hash.update(self.text(*prompt));
            hash.update([0]);
        }
        if of.iter().any(|prompt| self.is_replaced(*prompt)) {
            hash.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect()
        } else {
            String::new()
        }
    }
}

fn unknown(path: &Path, name: &str) -> Error {
    let scored = Prompt::ALL.iter().map(|prompt| (strsim::jaro_winkler(prompt.name(), name), prompt));
    let near = scored.filter(|(closeness, _)| *closeness > 0.8).max_by(|a, b| a.0.total_cmp(&b.0));
    let names: Vec<&str> = Prompt::ALL.iter().map(|prompt| prompt.name()).collect();
    let hint =
        near.map_or_else(|| format!("the names are {}", names.join(", ")), |(_, near)| format!("did you mean {}.md?", near.name()));
    Error::Settings(format!("{} replaces no prompt: {hint}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_replaces_the_text_of_its_name_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("cite.md"), "\u{feff}Cite so.").unwrap();
        std::fs::write(folder.path().join("targets.md"), "").unwrap();
        std::fs::write(folder.path().join("notes.txt"), "not looked at").unwrap();
        let prompts = Prompts::from_folder(folder.path()).unwrap();
        assert_eq!(prompts.text(Prompt::Cite), "Cite so.");
        assert_eq!(prompts.text(Prompt::Targets), "");
        assert_eq!(prompts.text(Prompt::Role), Prompt::Role.built_in());
        assert_ne!(prompts.fingerprint(&[Prompt::Cite]), prompts.fingerprint(&[Prompt::Targets]));
        assert_eq!(prompts.fingerprint(&[Prompt::Role]), "");
    }

    #[test]
    fn what_replaces_nothing_is_an_error_with_a_near_name() {
        let folder = tempfile::tempdir().unwrap();
        let message = |name: &str, content: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            let error = Prompts::from_folder(folder.path()).unwrap_err().to_string();
            std::fs::remove_file(path).unwrap();
            error
        };
        assert!(message("read_and_answr.md", b"x").contains("did you mean read_and_answer.md?"));
        assert!(message("zzz.md", b"x").contains("the names are role, find_in_library"));
        assert!(message("role.md", b"\xff\xfe").contains("not UTF-8"));
        assert!(message("role.md", &vec![b'x'; 70_000]).contains("longer than 64 KiB"));
        assert!(Prompts::from_folder(&folder.path().join("none")).unwrap_err().to_string().contains("cannot be read"));
    }

    #[test]
    fn every_file_is_one_of_the_texts() {
        let mut files: Vec<String> = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/prompts"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        let mut names: Vec<String> = Prompt::ALL.iter().map(|prompt| format!("{}.md", prompt.name())).collect();
        files.sort();
        names.sort();
        assert_eq!(files, names);
    }
}
