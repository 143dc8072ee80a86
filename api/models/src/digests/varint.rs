//! Varints (LEB128, zigzag): seven bits a byte, the low ones first, and the highest bit set in all but the last.

/// Bytes that begin with numbers.
pub(super) struct Numbers<'a>(
    /// What has not been read yet.
    pub &'a [u8],
);

impl Numbers<'_> {
    /// Reads the next number; `None` if there is none, or one that does not fit 64 bits.
    pub fn next(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            let bits = u64::from(byte & 0x7f);
            number |= bits << shift;
            if bits << shift >> shift != bits {
                return None;
            }
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }
}

/// Writes a number.
pub(super) fn push_number(to: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

/// A signed number as an unsigned one that is small if the number is near 0.
pub(super) fn unsigned(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

/// The signed number.
pub(super) fn signed(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
mod tests;
