//! How many tokens a text takes, estimated from above, and texts cut to a number of them.
//!
//! Tokenisers differ; a cap that holds for all of them needs a count that is rather too high. Words of Latin letters take a token for every
//! four letters begun (current tokenisers: 3.5 to 4.5 letters a token), digits one each (some take three at once, others every one alone),
//! signs one each; letters of other alphabets one each, ideographs and scripts beyond two (0.7 to 2 in practice). Over the pages of 13
//! documents in seven languages this gives 1.2 to 2 times what cl100k and o200k count, for the worst page (French) 0.95 times; the margin of
//! [`super::asking`] is for such pages. (The agent counts otherwise: its
//! count is a mean and says when a conversation gets long.)

/// Letters of a Latin word in a token.
const LETTERS: u32 = 4;

/// Counts tokens character by character.
#[derive(Debug, Default)]
struct Counter {
    total: u64,
    /// Letters in the current word.
    word: u32,
    blank: bool,
}

impl Counter {
    fn add(&mut self, c: char) {
        let blank = c.is_whitespace();
        if c.is_ascii_alphabetic() {
            if self.word.is_multiple_of(LETTERS) {
                self.total += 1;
            }
            self.word += 1;
        } else {
            self.word = 0;
            self.total += match c {
                // A single space goes with the word after it; a run of them is a token of its own.
                ' ' => u64::from(self.blank),
                c if c.is_whitespace() => u64::from(!self.blank),
                c if u32::from(c) < 0x530 => 1,
                _ => 2,
            };
        }
        self.blank = blank;
    }
}

/// The most tokens that a text is taken to have.
pub(super) fn tokens(text: &str) -> u64 {
    let mut counter = Counter::default();
    text.chars().for_each(|c| counter.add(c));
    counter.total
}

/// The beginning of a text that takes at most `room` tokens, cut at a blank where one is near.
pub(super) fn head(text: &str, room: u64) -> &str {
    let mut counter = Counter::default();
    let mut blank = 0;
    for (at, c) in text.char_indices() {
        counter.add(c);
        if counter.total > room {
            let near = blank > 0 && at - blank < 40;
            return text.get(..if near { blank } else { at }).unwrap_or_default();
        }
        if c.is_whitespace() {
            blank = at;
        }
    }
    text
}

/// As much of each text as fits when all share `room` tokens: none gets more than it needs, and what one leaves is the others'.
pub(super) fn shares(texts: &[&str], room: u64) -> Vec<u64> {
    let needs: Vec<u64> = texts.iter().map(|text| tokens(text)).collect();
    let mut order: Vec<usize> = (0..needs.len()).collect();
    order.sort_by_key(|at| needs.get(*at));
    let mut shares = vec![0; needs.len()];
    let (mut left, mut takers) = (room, needs.len() as u64);
    for at in order {
        let (Some(need), Some(share)) = (needs.get(at), shares.get_mut(at)) else { continue };
        *share = (*need).min(left / takers.max(1));
        left -= *share;
        takers = takers.saturating_sub(1);
    }
    shares
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_estimate_is_not_below_what_tokenisers_count() {
        // As cl100k counts them.
        for (text, counted) in [
            ("The quick brown fox jumps over the lazy dog.", 10),
            ("Net sales  $ 412.6  $ 388.1  6.3 %", 20),
            ("第一章 总则 为了规范公司的组织和行为", 20),
            ("Müller & Söhne", 7),
        ] {
            assert!(tokens(text) >= counted && tokens(text) <= 3 * counted, "{text}: {}", tokens(text));
        }
    }

    #[test]
    fn shares_go_to_whoever_needs_them() {
        assert_eq!(shares(&["a b c", "a b c d e f g h", "a"], 100), [3, 8, 1]);
        assert_eq!(shares(&["a b c d e f", "a b c d e f g h", "a"], 9), [4, 4, 1]);
        assert_eq!(shares(&[], 9), [] as [u64; 0]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_head_fits(text in "(?s).{0,200}", room in 0_u64..60) {
            let cut = head(&text, room);
            prop_assert!(text.starts_with(cut) && tokens(cut) <= room);
            prop_assert!(cut.len() == text.len() || tokens(&text) > room);
        }

        #[test]
        fn shares_stay_within_the_room(texts in proptest::collection::vec("[a-z ]{0,40}", 0..6), room in 0_u64..80) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            prop_assert!(shares(&texts, room).iter().sum::<u64>() <= room);
        }
    }
}
