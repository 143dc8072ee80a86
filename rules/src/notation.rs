//! Actions as text, both ways, from patterns.

use std::ops::RangeInclusive;
use std::str::FromStr;

/// Implements `Display` and `FromStr` for an enum of actions, from a pattern for each variant and from what is said of
/// everything else.
///
/// A pattern consists of texts and of the names of members, each of which is read up to the next text. A member with
/// bounds is a whole number without leading zeros. A text and a member in brackets come last, and may be missing: the
/// member is an `Option`.
///
/// ```
/// #[derive(Debug, PartialEq, Eq)]
/// enum Action {
///     Bid(u8),
///     Move { from: char, to: char, by: Option<char> },
///     Pass,
/// }
///
/// plybook_rules::notation!(Action, "an action is bid:0 to bid:5, a-b, a-b+c or pass",
///     Bid { 0: tricks } = ("bid:" tricks(0..=5)),
///     Move { from, to, by } = (from "-" to ["+" by]),
///     Pass {} = ("pass"),
/// );
///
/// assert_eq!("bid:3".parse(), Ok(Action::Bid(3)));
/// assert_eq!(Action::Move { from: 'x', to: 'y', by: Some('z') }.to_string(), "x-y+z");
/// assert!(["bid:03", "bid:6", "passed", "x-", "x-y+"].iter().all(|text| text.parse::<Action>().is_err()));
/// ```
#[macro_export]
macro_rules! notation {
    (@write $f:ident;) => { Ok(()) };
    (@write $f:ident; $text:literal $($more:tt)*) => {{
        $f.write_str($text)?;
        $crate::notation!(@write $f; $($more)*)
    }};
    (@write $f:ident; [$text:literal $last:ident]) => {
        if let Some(last) = $last { write!($f, "{}{last}", $text) } else { Ok(()) }
    };
    (@write $f:ident; $member:ident ($bounds:expr) $($more:tt)*) => {
        $crate::notation!(@write $f; $member $($more)*)
    };
    (@write $f:ident; $member:ident $($more:tt)*) => {{
        std::fmt::Display::fmt($member, $f)?;
        $crate::notation!(@write $f; $($more)*)
    }};
    (@read $rest:ident; $variant:ident $members:tt;) => {
        if $rest.is_empty() { Some(Self::$variant $members) } else { None }
    };
    (@read $rest:ident; $variant:ident $members:tt; $text:literal $($more:tt)*) => {{
        let $rest = $rest.strip_prefix($text)?;
        $crate::notation!(@read $rest; $variant $members; $($more)*)
    }};
    (@read $rest:ident; $variant:ident $members:tt; $member:ident ($bounds:expr) $($more:tt)*) => {{
        let ($member, $rest) = $crate::notation::number($rest, $bounds)?;
        $crate::notation!(@read $rest; $variant $members; $($more)*)
    }};
    (@read $rest:ident; $variant:ident $members:tt; $member:ident [$text:literal $last:ident]) => {{
        let (member, last) = $rest.split_once($text).map_or(($rest, None), |(member, last)| (member, Some(last)));
        let $member = member.parse().ok()?;
        let $last = match last {
            Some(last) => Some(last.parse().ok()?),
            None => None,
        };
        Some(Self::$variant $members)
    }};
    (@read $rest:ident; $variant:ident $members:tt; $member:ident $text:literal $($more:tt)*) => {{
        let (member, $rest) = $rest.split_once($text)?;
        let $member = member.parse().ok()?;
        $crate::notation!(@read $rest; $variant $members; $($more)*)
    }};
    (@read $rest:ident; $variant:ident $members:tt; $member:ident) => {{
        let $member = $rest.parse().ok()?;
        Some(Self::$variant $members)
    }};
    ($action:ty, $wrong:expr, $($variant:ident $members:tt = ($($pattern:tt)+)),+ $(,)?) => {
        impl std::fmt::Display for $action {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(Self::$variant $members => $crate::notation!(@write f; $($pattern)+),)+
                }
            }
        }

        impl std::str::FromStr for $action {
            type Err = $crate::Syntax;

            fn from_str(text: &str) -> Result<Self, $crate::Syntax> {
                let read = None$(.or_else(|| {
                    let rest = text;
                    $crate::notation!(@read rest; $variant $members; $($pattern)+)
                }))+;
                read.ok_or_else(|| $wrong.into())
            }
        }
    };
}

/// The whole number that a text begins with, if it is within bounds, and the rest of the text.
pub fn number<T: FromStr + PartialOrd>(text: &str, bounds: RangeInclusive<T>) -> Option<(T, &str)> {
    let (digits, rest) = text.split_at(text.bytes().take_while(u8::is_ascii_digit).count());
    let is_plain = digits.len() == 1 || !digits.starts_with('0');
    let number = digits.parse().ok().filter(|number| is_plain && bounds.contains(number))?;
    Some((number, rest))
}
