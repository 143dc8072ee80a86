//! Colours, as the style sheet of scenes writes them.

use super::selector::split;

/// How deep variables may refer to others.
const DEPTH: usize = 16;

/// A colour without transparency: red, green and blue from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Colour(pub(super) [f32; 3]);

impl Colour {
    pub(super) const BLACK: Self = Self([0.0; 3]);
    pub(super) const WHITE: Self = Self([1.0; 3]);

    /// Reads a colour: of two for light and dark themes, the light one. None if it is not a colour or a variable has no value.
    pub(super) fn read<'a>(text: &'a str, variable: &dyn Fn(&str) -> Option<&'a str>) -> Option<Self> {
        Self::read_at(text, variable, DEPTH)
    }

    fn read_at<'a>(text: &'a str, variable: &dyn Fn(&str) -> Option<&'a str>, depth: usize) -> Option<Self> {
        let depth = depth.checked_sub(1)?;
        let read = |text| Self::read_at(text, variable, depth);
        let text = text.trim();
        if let Some(digits) = text.strip_prefix('#') {
            return Self::hex(digits);
        }
        let (name, arguments) = text.strip_suffix(')')?.split_once('(')?;
        let mut arguments = split(arguments, |c| c == ',').map(str::trim);
        let (first, second, third) = (arguments.next()?, arguments.next(), arguments.next());
        match (name, first, second, third) {
            ("var", name, otherwise, None) => variable(name).and_then(read).or_else(|| read(otherwise?)),
            ("light-dark", light, Some(_), None) => read(light),
            ("color-mix", "in srgb", Some(one), Some(other)) => {
                let (one, part) = one.rsplit_once(' ')?;
                let part: f32 = part.strip_suffix('%')?.parse().ok()?;
                Some(read(one)?.mixed(read(other)?, part / 100.0))
            }
            _ => None,
        }
    }

    fn hex(digits: &str) -> Option<Self> {
        let number = u32::from_str_radix(digits, 16).ok()?;
        let parts = match digits.len() {
            3 => [8, 4, 0].map(|shift| (number >> shift & 0xf) * 0x11),
            6 => [16, 8, 0].map(|shift| number >> shift & 0xff),
            _ => return None,
        };
        Some(Self(parts.map(|part| part as f32 / 255.0)))
    }

    /// `part` of this colour, and the rest of another.
    fn mixed(self, other: Self, part: f32) -> Self {
        let [one, two] = [self.0, other.0];
        Self([0, 1, 2].map(|index: usize| one[index] * part + two[index] * (1.0 - part)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_as_they_are_written() {
        let variable = |name: &str| match name {
            "--own" => Some("light-dark(#fff, #000)"),
            "--loop" => Some("var(--loop, var(--loop))"),
            _ => None,
        };
        let read = |text| Colour::read(text, &variable);
        assert_eq!(read("#fff"), Some(Colour::WHITE));
        assert_eq!(read("#336699"), Some(Colour([0.2, 0.4, 0.6])));
        assert_eq!(read("var(--own)"), Some(Colour::WHITE));
        assert_eq!(read("var(--none, var(--own))"), Some(Colour::WHITE));
        assert_eq!(read("color-mix(in srgb, var(--own) 25%, #000)"), Some(Colour([0.25; 3])));
        for none in
            ["", "#12", "#12345g", "red", "var(--none)", "var(--loop)", "color-mix(in oklab, #000 1%, #fff)", "x()"]
        {
            assert_eq!(read(none), None, "{none}");
        }
    }
}
