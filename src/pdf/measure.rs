//! How large a stream becomes when it is unpacked.
//!
//! The decoders here follow hayro-syntax's, which go on over damage that stricter ones stop at, so that nothing unpacks to more than was
//! measured. They stop at a limit, and keep no bytes of the last filter of a chain.

use hayro_syntax::Filter;

/// The size of this data after these filters, predictors left out; `None` where it, or what a filter before the last one gives, is over
/// `limit`. Filters that cannot be undone here (pictures, encryption) count as doing nothing.
pub(super) fn unpacked_size(data: &[u8], filters: &[Filter], limit: usize) -> Option<usize> {
    let mut current: Option<Vec<u8>> = None;
    let mut size = data.len();
    for (i, filter) in filters.iter().enumerate() {
        let input = current.as_deref().unwrap_or(data);
        let mut out = Output { bytes: Vec::new(), size: 0, kept: i + 1 < filters.len(), limit };
        match filter {
            Filter::FlateDecode => inflate(input, &mut out)?,
            Filter::LzwDecode => {
                // How early codes grow is said in the parameters; the larger result counts.
                let mut late = Output { bytes: Vec::new(), ..out };
                lzw(input, 0, &mut late)?;
                lzw(input, 1, &mut out)?;
                if late.size > out.size {
                    out = late;
                }
            }
            Filter::RunLengthDecode => run_lengths(input, &mut out)?,
            Filter::AsciiHexDecode => hex(input, &mut out)?,
            Filter::Ascii85Decode => base85(input, &mut out)?,
            _ => continue,
        }
        size = out.size;
        current = Some(out.bytes);
    }
    Some(size)
}

/// What a decoder writes.
struct Output {
    bytes: Vec<u8>,
    size: usize,
    /// The bytes are the input of another filter; else only their number matters.
    kept: bool,
    limit: usize,
}

impl Output {
    /// Room for so many more bytes; `None` where that is over the limit.
    fn grow(&mut self, by: usize) -> Option<()> {
        self.size = self.size.checked_add(by).filter(|size| *size <= self.limit)?;
        Some(())
    }

    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        self.grow(bytes.len())?;
        if self.kept {
            self.bytes.extend_from_slice(bytes);
        }
        Some(())
    }

    /// Bytes from so far back again.
    fn again(&mut self, distance: usize, length: usize) -> Option<()> {
        if distance > self.size {
            return Some(());
        }
        self.grow(length)?;
        if self.kept {
            for _ in 0..length {
                let byte = self.bytes.len().checked_sub(distance).and_then(|at| self.bytes.get(at)).copied();
                self.bytes.push(byte.unwrap_or(0));
            }
        }
        Some(())
    }
}

/// Bits, the lowest of a byte first. No more bytes are read than are asked for.
struct Bits<'a> {
    data: &'a [u8],
    at: usize,
    buffer: u32,
    count: u32,
}

impl Bits<'_> {
    /// Reads until there are `n` bits or no more bytes.
    fn have(&mut self, n: u32) {
        while self.count < n {
            let Some(byte) = self.data.get(self.at) else { break };
            self.buffer |= u32::from(*byte) << self.count;
            self.count += 8;
            self.at += 1;
        }
    }

    /// The next bits as a number, without taking them; zeros stand for those that are missing.
    fn peek(&mut self, n: u32) -> usize {
        self.have(n);
        usize::try_from(self.buffer & ((1 << n) - 1)).unwrap_or(0)
    }

    fn skip(&mut self, n: u32) {
        self.buffer >>= n;
        self.count -= n;
    }

    fn take(&mut self, n: u32) -> Option<usize> {
        let value = self.peek(n);
        (self.count >= n).then(|| self.skip(n))?;
        Some(value)
    }
}

/// Codes of up to 15 bits: for each of the next bits the symbol and the length of its code, 0 where there is none.
struct Codes {
    table: Vec<(u16, u8)>,
    longest: u32,
}

impl Codes {
    fn new(lengths: &[u8]) -> Self {
        let longest = u32::from(lengths.iter().copied().max().unwrap_or(0)).max(1);
        let mut table = vec![(0, 0); 1 << longest];
        let mut code = 0_usize;
        for length in 1..=longest {
            for (symbol, _) in (0_u16..).zip(lengths).filter(|(_, l)| u32::from(**l) == length) {
                let first = code.reverse_bits() >> (usize::BITS - length);
                for slot in table.iter_mut().skip(first).step_by(1 << length) {
                    *slot = (symbol, u8::try_from(length).unwrap_or(0));
                }
                code += 1;
            }
            code <<= 1;
        }
        Self { table, longest }
    }

    fn next(&self, bits: &mut Bits<'_>) -> Option<u16> {
        let (symbol, length) = *self.table.get(bits.peek(self.longest))?;
        let length = u32::from(length);
        (length > 0 && length <= bits.count).then(|| bits.skip(length))?;
        Some(symbol)
    }
}

/// Deflate, with or without the head of zlib. Damage ends it; `None` is only for the limit.
fn inflate(data: &[u8], out: &mut Output) -> Option<()> {
    let zlib = matches!(data, [first, second, ..] if first & 15 == 8 && (u16::from(*first) << 8 | u16::from(*second)).is_multiple_of(31) && second & 32 == 0);
    let mut bits = Bits { data: if zlib { data.get(2..).unwrap_or_default() } else { data }, at: 0, buffer: 0, count: 0 };
    loop {
        let Some(head) = bits.take(3) else { return Some(()) };
        let go_on = match head >> 1 {
            0 => stored_block(&mut bits, out)?,
            1 => {
                let lengths: Vec<u8> =
                    (0..288).map(|n| [8, 9, 7, 8][usize::from(n > 143) + usize::from(n > 255) + usize::from(n > 279)]).collect();
                packed_block(&mut bits, &Codes::new(&lengths), &Codes::new(&[5; 32]), out)?
            }
            2 => match own_codes(&mut bits) {
                Some((literals, distances)) => packed_block(&mut bits, &literals, &distances, out)?,
                None => false,
            },
            _ => false,
        };
        if !go_on || head & 1 == 1 {
            return Some(());
        }
    }
}

/// `Some(false)` where the data ends.
fn stored_block(bits: &mut Bits<'_>, out: &mut Output) -> Option<bool> {
    // Bytes that were read ahead are lost, as in hayro-syntax: what stands after them is read otherwise, and may be larger.
    (bits.buffer, bits.count) = (0, 0);
    let Some([low, high, _, _]) = bits.data.get(bits.at..bits.at + 4) else { return Some(false) };
    let start = bits.at + 4;
    let length = usize::from(u16::from_le_bytes([*low, *high]));
    bits.at = (start + length).min(bits.data.len());
    out.put(bits.data.get(start..bits.at).unwrap_or_default())?;
    Some(bits.at == start + length)
}

fn packed_block(bits: &mut Bits<'_>, literals: &Codes, distances: &Codes, out: &mut Output) -> Option<bool> {
    /// Extra bits and smallest value of the codes for lengths and for distances (RFC 1951, 3.2.5).
    fn lengths(code: u16) -> Option<(u32, usize)> {
        Some(match code {
            0..=7 => (0, 3 + usize::from(code)),
            8..=27 => (u32::from(code / 4 - 1), 3 + ((4 + usize::from(code % 4)) << (code / 4 - 1))),
            28 => (0, 258),
            // hayro-syntax takes these for a length of nothing.
            _ => (0, 0),
        })
    }
    fn far(code: u16) -> Option<(u32, usize)> {
        match code {
            0..=3 => Some((0, 1 + usize::from(code))),
            4..=29 => Some((u32::from(code / 2 - 1), 1 + ((2 + usize::from(code % 2)) << (code / 2 - 1)))),
            _ => None,
        }
    }
    let value = |bits: &mut Bits<'_>, (extra, least): (u32, usize)| Some(least + bits.take(extra)?);
    loop {
        match literals.next(bits) {
            Some(literal @ 0..=255) => out.put(&[u8::try_from(literal).unwrap_or(0)])?,
            Some(256) => return Some(true),
            Some(code) => {
                let length = lengths(code - 257).and_then(|l| value(bits, l));
                let distance = length.and_then(|_| distances.next(bits)).and_then(far).and_then(|d| value(bits, d));
                let (Some(length), Some(distance)) = (length, distance) else { return Some(false) };
                out.again(distance, length)?;
            }
            None => return Some(false),
        }
    }
}

/// The codes that a block brings with it.
fn own_codes(bits: &mut Bits<'_>) -> Option<(Codes, Codes)> {
    const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    let literals = bits.take(5)? + 257;
    let all = literals + bits.take(5)? + 1;
    let given = bits.take(4)? + 4;
    let mut of_lengths = [0_u8; 19];
    for place in ORDER.iter().take(given) {
        if let Some(slot) = of_lengths.get_mut(*place) {
            *slot = u8::try_from(bits.take(3)?).unwrap_or(0);
        }
    }
    let codes = Codes::new(&of_lengths);
    let mut lengths: Vec<u8> = Vec::with_capacity(all);
    while lengths.len() < all {
        let (length, times) = match codes.next(bits)? {
            16 => (lengths.last().copied().unwrap_or(0), 3 + bits.take(2)?),
            17 => (0, 3 + bits.take(3)?),
            18 => (0, 11 + bits.take(7)?),
            length => (u8::try_from(length).unwrap_or(0), 1),
        };
        lengths.extend(std::iter::repeat_n(length, times.min(all - lengths.len())));
    }
    let (literals, distances) = lengths.split_at_checked(literals)?;
    Some((Codes::new(literals), Codes::new(distances)))
}

/// LZW. `early` is 1 where codes grow one code early.
fn lzw(data: &[u8], early: usize, out: &mut Output) -> Option<()> {
    const CLEAR: usize = 256;
    const END: usize = 257;
    const ENTRIES: usize = 4096;
    // Where the string of each entry stands: the last byte, the entry before it, and the length.
    let fresh = || (0..258).map(|n| (u8::try_from(n).unwrap_or(0), 0, 1)).collect::<Vec<(u8, usize, usize)>>();
    let mut table = fresh();
    let mut before: Option<usize> = None;
    let (mut buffer, mut count, mut input) = (0_usize, 0, data.iter());
    let mut string = Vec::new();
    loop {
        let width = match table.len() + early {
            2048.. => 12,
            1024.. => 11,
            512.. => 10,
            _ => 9,
        };
        while count < width {
            let Some(byte) = input.next() else { return Some(()) };
            buffer = (buffer << 8 | usize::from(*byte)) & 0xFF_FFFF;
            count += 8;
        }
        count -= width;
        let code = buffer >> count & ((1 << width) - 1);
        if code == CLEAR {
            (table, before) = (fresh(), None);
            continue;
        }
        // A code that is not known yet is the one that would come next.
        let from = match before {
            _ if code == END => return Some(()),
            Some(last) if code == table.len() => last,
            _ if code < table.len() => code,
            _ => return Some(()),
        };
        string.clear();
        let mut entry = from;
        while let Some(&(byte, parent, length)) = table.get(entry) {
            string.push(byte);
            if length == 1 {
                break;
            }
            entry = parent;
        }
        let first = string.last().copied().unwrap_or(0);
        string.reverse();
        if code == table.len() {
            string.push(first);
        }
        if let (Some(last), true) = (before, table.len() < ENTRIES) {
            let length = table.get(last).map_or(0, |(_, _, length)| *length);
            table.push((first, last, length + 1));
        }
        out.put(&string)?;
        before = Some(code);
    }
}

fn run_lengths(data: &[u8], out: &mut Output) -> Option<()> {
    let mut rest = data;
    while let [length, after @ ..] = rest {
        rest = match (*length, after) {
            (128, _) | (129.., []) => break,
            (n @ 0..128, _) => {
                let Some((part, after)) = after.split_at_checked(usize::from(n) + 1) else { break };
                out.put(part)?;
                after
            }
            (n, [byte, after @ ..]) => {
                out.put(&[*byte; 128][..257 - usize::from(n)])?;
                after
            }
        };
    }
    Some(())
}

fn hex(data: &[u8], out: &mut Output) -> Option<()> {
    let digits = data.iter().take_while(|b| **b != b'>').filter_map(|b| char::from(*b).to_digit(16));
    let mut high = None;
    for digit in digits {
        let digit = u8::try_from(digit).unwrap_or(0);
        match high.take() {
            None => high = Some(digit << 4),
            Some(high) => out.put(&[high | digit])?,
        }
    }
    high.map_or(Some(()), |last| out.put(&[last]))
}

fn base85(data: &[u8], out: &mut Output) -> Option<()> {
    /// Writes what a group of up to five digits holds: one byte fewer.
    fn flush(group: &mut Vec<u8>, out: &mut Output) -> Option<()> {
        let value =
            (0..5).fold(0_u32, |value, i| value.wrapping_mul(85).wrapping_add(group.get(i).map_or(84, |b| u32::from(b - b'!'))));
        let bytes = value.to_be_bytes();
        out.put(bytes.get(..group.len().saturating_sub(1)).unwrap_or_default())?;
        group.clear();
        Some(())
    }
    let mut group = Vec::with_capacity(5);
    for byte in data {
        match byte {
            b'z' => {
                flush(&mut group, out)?;
                out.put(&[0; 4])?;
            }
            b'!'..=b'u' => {
                group.push(*byte);
                if group.len() == 5 {
                    flush(&mut group, out)?;
                }
            }
            b'~' => break,
            _ => {}
        }
    }
    flush(&mut group, out)
}
