//! Ids of calls, in the forms that servers take.

use std::collections::{BTreeMap, BTreeSet};

/// The id of the call with this number: nine letters and digits, since Mistral's servers refuse every other form.
fn plain(number: usize) -> String {
    format!("call{number:05}")
}

/// The id itself, or a new one where there is none or where it is taken.
pub(super) fn unique_id(id: String, taken: &mut BTreeSet<String>) -> String {
    let id = if id.is_empty() || taken.contains(&id) {
        let first = taken.len() + 1;
        (first..).map(plain).find(|id| !taken.contains(id)).unwrap_or(id)
    } else {
        id
    };
    taken.insert(id.clone());
    id
}

/// The ids of a history as they are sent. Those of another server may be too long for this one, or of a form that it refuses.
pub(super) struct CallIds {
    plain: bool,
    numbers: BTreeMap<String, usize>,
}

impl CallIds {
    /// `plain`: every call gets an id of our own.
    pub(super) fn new(plain: bool) -> Self {
        Self { plain, numbers: BTreeMap::new() }
    }

    /// The id on the wire, the same for a call and its result.
    pub(super) fn of(&mut self, id: &str) -> String {
        if !self.plain {
            return id.to_owned();
        }
        let next = self.numbers.len() + 1;
        plain(*self.numbers.entry(id.to_owned()).or_insert(next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubled_and_missing_ids_are_replaced() {
        let mut taken = BTreeSet::from(["0".to_owned(), "call00003".to_owned()]);
        assert_eq!(unique_id("0".into(), &mut taken), "call00004");
        assert_eq!(unique_id(String::new(), &mut taken), "call00005");
        assert_eq!(unique_id("1".into(), &mut taken), "1");
    }

    #[test]
    fn plain_ids_stay_with_their_calls() {
        let mut ids = CallIds::new(true);
        assert_eq!([ids.of("a"), ids.of("b"), ids.of("a")], ["call00001", "call00002", "call00001"]);
        assert_eq!(CallIds::new(false).of("a"), "a");
    }
}
