//! Records other than 001.

use super::line::Line;
use super::{AskedBye, Forbidden, PointSystem, TrfError, TrfProblem};
use crate::{ByeKind, EntrantNumber, Points};

/// Everything that the records besides 001 say.
#[derive(Debug, Default)]
pub(super) struct Records {
    pub(super) texts: Vec<(String, String)>,
    pub(super) rounds: Option<u16>,
    pub(super) initial_seat: Option<u8>,
    pub(super) system: PointSystem,
    /// Whether the points of the allocated bye were given; otherwise they are those of a win.
    has_bye_points: bool,
    pub(super) byes: Vec<AskedBye>,
    /// XXZ: the entrants absent from the next round, with the place in the file.
    pub(super) absent: Vec<EntrantNumber>,
    pub(super) forbidden: Vec<Forbidden>,
    pub(super) accelerations: Vec<Acceleration>,
    /// The last round of each 250, with the number of the line, to be checked against the planned rounds.
    pub(super) last_accelerated: Vec<(u16, usize)>,
    /// Whether record 192 names Baku acceleration.
    pub(super) is_baku: bool,
    /// Whether numbers are the places of the lines: XXC rank.
    pub(super) is_by_place: bool,
    /// The entrants named, with line and column, to be checked once all are known.
    pub(super) named: Vec<(EntrantNumber, usize, usize)>,
}

/// Virtual points.
#[derive(Debug)]
pub(super) struct Acceleration {
    /// The entrants, from first to last.
    pub(super) entrants: (EntrantNumber, EntrantNumber),
    /// The first round, from 1.
    pub(super) first_round: u16,
    /// The points of that round and those after it.
    pub(super) points: Vec<Points>,
}

impl Records {
    /// Reads a line that is not 001.
    pub(super) fn read(&mut self, line: &Line) -> Result<(), TrfError> {
        let tag = line.tag();
        match tag.as_str() {
            "142" | "XXR" => self.rounds = Some(line.round_in(5, line.rest().trim())?),
            "152" => {
                self.initial_seat = Some(match line.rest().trim() {
                    "W" | "w" => 1,
                    "B" | "b" => 2,
                    other => return Err(line.wrong(5, other, "W or B")),
                });
            }
            "162" => self.point_system(line)?,
            "BBW" | "BBD" | "BBL" | "BBZ" | "BBF" | "BBU" => {
                let points = line.points_in(5, line.rest().trim())?;
                let code = tag.chars().last().expect("the tag has three letters");
                self.set_points(code, points);
            }
            "XXS" => self.javafo_points(line)?,
            "XXC" => self.configuration(line),
            "240" => self.asked(line)?,
            "XXZ" => {
                let absent = self.listed(line)?;
                self.absent.extend(absent);
            }
            "260" => {
                line.check_len(21)?;
                let rounds = Some((line.round(5, 7)?, line.round(9, 11)?));
                let entrants = self.columns(line, 13)?;
                self.forbidden.push(Forbidden { rounds, entrants });
            }
            "XXP" => {
                let entrants = self.listed(line)?;
                self.forbidden.push(Forbidden { rounds: None, entrants });
            }
            "250" => {
                let acceleration = acceleration(line)?;
                self.named.push((acceleration.entrants.1, line.number(), 28));
                self.last_accelerated.push((line.round(19, 21)?, line.number()));
                self.accelerations.push(acceleration);
            }
            "XXA" => {
                let entrant = line.entrant(5, 8)?;
                self.named.push((entrant, line.number(), 5));
                let mut points = Vec::new();
                for column in (10..=line.len()).step_by(5) {
                    let is_empty = line.field(column, column + 3).is_empty();
                    points.push(if is_empty { Points::ZERO } else { line.points(column, column + 3)? });
                }
                self.accelerations.push(Acceleration { entrants: (entrant, entrant), first_round: 1, points });
            }
            "013" | "300" | "310" | "320" | "330" | "352" | "362" | "801" | "802" => {
                return Err(line.error(1, TrfProblem::Unsupported { tag, what: "they are about teams" }));
            }
            "299" => {
                return Err(line.error(1, TrfProblem::Unsupported { tag, what: "they change points by decision" }));
            }
            _ => {
                if tag == "192" {
                    self.is_baku = line.rest().trim().ends_with("_BAKU");
                }
                self.texts.push((tag, line.rest()));
            }
        }
        Ok(())
    }

    fn set_points(&mut self, code: char, points: Points) {
        match code {
            'W' => {
                self.system.win = points;
                if !self.has_bye_points {
                    self.system.pairing_bye = points;
                }
            }
            'D' => self.system.draw = points,
            'L' => self.system.loss = points,
            'F' => self.system.forfeit = points,
            'Z' => self.system.absent = points,
            _ => {
                self.system.pairing_bye = points;
                self.has_bye_points = true;
            }
        }
    }

    /// 162: a letter and four columns of points, every nine columns from column 6.
    fn point_system(&mut self, line: &Line) -> Result<(), TrfError> {
        let words = line.rest();
        if words.trim().is_empty() {
            return Err(line.error(5, TrfProblem::Short { tag: "162".to_owned(), least: 10 }));
        }
        // Programs differ in the spaces between: a letter begins a pair.
        let mut letter = None;
        let mut text = (0, String::new());
        let chars = line.columns(5, line.len()).chars().chain([' ']).enumerate().collect::<Vec<_>>();
        for (index, char) in chars {
            let column = index + 5;
            if char.is_ascii_digit() || matches!(char, '.' | ',') {
                if text.1.is_empty() {
                    text.0 = column;
                }
                text.1.push(char);
                continue;
            }
            if !text.1.is_empty() {
                let points = line.points_in(text.0, &text.1)?;
                let code = letter.take();
                match code
                    .ok_or_else(|| line.wrong(text.0, &text.1, "a letter, W, D, L, A, P or X, before its points"))?
                {
                    // A: absent or forfeited. `bbpPairings` writes A and reads Z.
                    'A' | 'Z' => {
                        self.set_points('Z', points);
                        self.set_points('F', points);
                    }
                    'X' => {}
                    code => self.set_points(code, points),
                }
                text.1.clear();
            }
            match char.to_ascii_uppercase() {
                code @ ('W' | 'D' | 'L' | 'A' | 'Z' | 'P' | 'X') if letter.is_none() => letter = Some(code),
                other if !other.is_whitespace() => {
                    return Err(line.wrong(column, &other.to_string(), "W, D, L, A, P or X with points after it"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// XXS: words such as `W=3.0`.
    fn javafo_points(&mut self, line: &Line) -> Result<(), TrfError> {
        for (column, word) in line.words() {
            let expected = "a code and points, such as W=3.0";
            let (code, points) = word.split_once('=').ok_or_else(|| line.wrong(column, &word, expected))?;
            let points = line.points_in(column + code.len() + 1, points)?;
            let letter = match code {
                "W" | "WW" | "BW" | "FW" | "FPB" => 'W',
                "D" | "WD" | "BD" | "HPB" => 'D',
                "L" | "WL" | "BL" => 'L',
                "FL" => 'F',
                "ZPB" => 'Z',
                "PAB" => 'U',
                _ => return Err(line.wrong(column, code, "W, D, L, FW, FL, FPB, HPB, ZPB or PAB")),
            };
            self.set_points(letter, points);
        }
        Ok(())
    }

    fn configuration(&mut self, line: &Line) {
        for (_, word) in line.words() {
            match word.as_str() {
                "white1" => self.initial_seat = Some(1),
                "black1" => self.initial_seat = Some(2),
                "rank" => self.is_by_place = true,
                _ => self.texts.push(("XXC".to_owned(), word)),
            }
        }
    }

    fn asked(&mut self, line: &Line) -> Result<(), TrfError> {
        line.check_len(14)?;
        let kind = match line.columns(5, 5).to_ascii_uppercase().as_str() {
            "F" => ByeKind::Full,
            "H" => ByeKind::Half,
            "Z" => ByeKind::Zero,
            other => return Err(line.wrong(5, other, "F, H or Z")),
        };
        let round = line.round(7, 9)?;
        let entrants = self.columns(line, 11)?;
        self.byes.extend(entrants.into_iter().map(|entrant| AskedBye { round, entrant, kind }));
        Ok(())
    }

    /// Numbers in columns of four.
    fn columns(&mut self, line: &Line, first: usize) -> Result<Vec<EntrantNumber>, TrfError> {
        let entrants = line.entrants(first)?;
        self.named.extend(entrants.iter().map(|entrant| (*entrant, line.number(), first)));
        Ok(entrants)
    }

    /// Numbers between spaces.
    fn listed(&mut self, line: &Line) -> Result<Vec<EntrantNumber>, TrfError> {
        let mut entrants = Vec::new();
        for (column, word) in line.words() {
            let entrant = line.entrant_in(column, &word)?;
            self.named.push((entrant, line.number(), column));
            entrants.push(entrant);
        }
        Ok(entrants)
    }
}

/// 250: virtual points for a range of entrants in a range of rounds.
fn acceleration(line: &Line) -> Result<Acceleration, TrfError> {
    line.check_len(31)?;
    let match_points = line.field(5, 8);
    if !match_points.is_empty() && line.points(5, 8)? != Points::ZERO {
        return Err(line.wrong(5, &match_points, "empty: match points are those of teams"));
    }
    let points = line.points(10, 13)?;
    let (first, last) = (line.round(15, 17)?, line.round(19, 21)?);
    if last < first {
        return Err(line.wrong(19, &last.to_string(), "a round after the first one"));
    }
    let entrants = (line.entrant(23, 26)?, line.entrant(28, 31)?);
    if entrants.1 < entrants.0 {
        return Err(line.wrong(28, &entrants.1.0.to_string(), "a number after the first one"));
    }
    Ok(Acceleration { entrants, first_round: first, points: vec![points; usize::from(last - first) + 1] })
}
