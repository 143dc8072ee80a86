//! The style sheet of scenes flattened to CSS 2, which is what usvg reads.

use std::collections::HashMap;

use regex::{Captures, Regex};

use crate::draw::STYLE;

/// The style sheet without media queries and in light colours, with custom properties and `color-mix()` worked out. A rule with
/// `--own`, the colour of a seat, becomes one for each seat, as specific as before: its `.scene` gives way to the seat's class.
pub(super) fn style() -> String {
    let light = |text: &str| replace(r"light-dark\((#\w+), #\w+\)", text, |pair| pair[1].to_owned());
    let style = replace(r"(?s)/\*.*?\*/|@media.*", STYLE, |_| String::new());
    let style =
        replace(r"#(\w)(\w)(\w)\b", &style, |hex| ["#", &hex[1], &hex[1], &hex[2], &hex[2], &hex[3], &hex[3]].concat());
    let style = light(&style);
    let seat = Regex::new(r"\.([\w-]+) \{ --own: ([^;]+);").expect(PATTERN);
    let seats: Vec<[&str; 2]> = seat.captures_iter(&style).map(|seat| seat.extract().1).collect();
    let own = replace(r"([^{}]+)(\{[^{}]*var\(--own\)[^{}]*\})", &style, |rule| {
        let plain = replace(r"[\w-]+: [^;]*var\(--own\)[^;]*;", &rule[2], |_| String::new());
        let of_seat = |[class, colour]: &[&str; 2]| {
            let selectors = rule[1].split(',').map(|one| format!("{}.{class}", one.replace(".scene", "").trim()));
            selectors.collect::<Vec<_>>().join(",") + &rule[2].replace("var(--own)", colour)
        };
        format!("{}{plain}{}", &rule[1], seats.iter().map(of_seat).collect::<String>())
    });
    let variable = Regex::new(r"(--[\w-]+): (#\w+)").expect(PATTERN);
    let variables: HashMap<&str, &str> =
        variable.captures_iter(&own).map(|variable| variable.extract().1.into()).collect();
    let style = replace(r"var\((--[\w-]+)\)", &own, |name| variables[&name[1]].to_owned());
    light(&replace(r"color-mix\(in srgb, #(\w{6}) (\d+)%, #(\w{6})\)", &style, mixed))
}

const PATTERN: &str = "it is a pattern, as a test shows";

fn replace(pattern: &str, text: &str, by: impl Fn(&Captures) -> String) -> String {
    Regex::new(pattern).expect(PATTERN).replace_all(text, by).into_owned()
}

/// A colour, its part in per cent, and the colour of the rest.
fn mixed(mix: &Captures) -> String {
    let [one, part, other] = [(1, 16), (2, 10), (3, 16)]
        .map(|(group, radix)| u32::from_str_radix(&mix[group], radix).expect("a test reads the style sheet"));
    let channels = [16, 8, 0].map(|shift| {
        let [one, other] = [one, other].map(|colour| colour >> shift & 0xff);
        format!("{:02x}", (one * part + other * (100 - part) + 50) / 100)
    });
    format!("#{}", channels.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_that_is_not_css_2() {
        let style = style();
        let plain = Regex::new(r#"^(\s*[\w., -]+\{(\s*[\w-]+: [\w#., "-]+( !important)?;)*\s*\})*\s*$"#).unwrap();
        assert!(plain.is_match(&style), "{style}");
        assert!(style.matches('{').count() > 300);
        assert!(
            style.contains(".thrones .farm.seat-2,.thrones .city.seat-2{ fill: #c23b22; stroke: #fbfaf7;"),
            "{style}"
        );
    }
}
