//! Who caused an event: the holder of an access token, or the operator of the service.

use std::fmt;
use std::str::FromStr;

/// The person behind an event, as the service that recorded it knew them: `arbiter:1a2b3c4d` for the holder of the
/// token with this id, or `operator`.
///
/// The id of a token is random and has nothing to do with its secret.
///
/// ```
/// use plybook_events::{Who, WhoRole};
/// let who: Who = "arbiter:1a2b3c4d".parse()?;
/// assert_eq!(who, Who::Token { role: WhoRole::Arbiter, id: 0x1a2b_3c4d });
/// assert_eq!(who.to_string(), "arbiter:1a2b3c4d");
/// # Ok::<(), plybook_events::WhoError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Who {
    /// The holder of a token.
    Token {
        /// What the token allowed at that time.
        role: WhoRole,
        /// Its id, which is written as eight hexadecimal digits.
        id: u32,
    },
    /// The operator of the service, at its command line.
    Operator,
}

crate::as_text!(Who);

/// What a token allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WhoRole {
    /// A player, or the link of a seat.
    Player,
    /// The table of a tournament.
    Table,
    /// A recorder, or the link of a game's table.
    Recorder,
    /// An organiser of a tournament.
    Organiser,
    /// An arbiter.
    Arbiter,
    /// An administrator.
    Admin,
}

/// The text does not name anybody.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is nobody: a role, a colon and the eight hexadecimal digits of a token's id, or `operator`")]
pub struct WhoError(String);

impl WhoRole {
    const ALL: [(Self, &'static str); 6] = [
        (Self::Player, "player"),
        (Self::Table, "table"),
        (Self::Recorder, "recorder"),
        (Self::Organiser, "organiser"),
        (Self::Arbiter, "arbiter"),
        (Self::Admin, "admin"),
    ];
}

impl fmt::Display for WhoRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::ALL.iter().find(|(role, _)| role == self).map(|(_, name)| *name);
        f.write_str(name.expect("every role has a name"))
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Token { role, id } => write!(f, "{role}:{id:08x}"),
            Self::Operator => f.write_str("operator"),
        }
    }
}

impl FromStr for Who {
    type Err = WhoError;

    fn from_str(text: &str) -> Result<Self, WhoError> {
        if text == "operator" {
            return Ok(Self::Operator);
        }
        let wrong = || WhoError(text.chars().take(40).collect());
        let (role, digits) = text.split_once(':').ok_or_else(wrong)?;
        let (role, _) = WhoRole::ALL.iter().find(|(_, name)| *name == role).ok_or_else(wrong)?;
        let is_id = digits.len() == 8 && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let id = u32::from_str_radix(digits, 16).ok().filter(|_| is_id).ok_or_else(wrong)?;
        Ok(Self::Token { role: *role, id })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_has_one_spelling() {
        for (_, role) in WhoRole::ALL {
            let text = format!("{role}:0fedcba9");
            assert_eq!(text.parse::<Who>().unwrap().to_string(), text);
        }
        assert_eq!("operator".parse::<Who>().unwrap().to_string(), "operator");
        let others =
            ["", "arbiter", "arbiter:", "arbiter:1", "arbiter:1A2B3C4D", "arbiter:1a2b3c4d5", "spectator:1a2b3c4d"];
        for other in others.iter().chain(&["operator:1a2b3c4d", "Operator", "arbiter: 1a2b3c4", "arbiter:+1a2b3c4"]) {
            assert!(other.parse::<Who>().is_err(), "{other}");
        }
    }
}
