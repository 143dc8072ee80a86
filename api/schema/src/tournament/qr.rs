//! QR codes.

use async_graphql::SimpleObject;
use plybook_service::error::Problem;
use qrcode::{Color, EcLevel};

/// A QR code (ISO/IEC 18004, error correction M) to be drawn as SVG. It needs a quiet zone of 4 modules around it.
#[derive(SimpleObject)]
pub struct QrCode {
    /// The number of modules per side.
    size: u32,
    /// The dark modules as the path of an SVG, in which a module is one unit wide.
    path: String,
}

/// The most bytes of the address of a service.
const BASE_LEN_MAX: usize = 300;

impl QrCode {
    /// The code of a link to the service. `base` is the address of the service, as people reach it.
    ///
    /// # Errors
    /// `base` is not such an address, or too long.
    pub(crate) fn of_link(base: &str, link: &str) -> Result<Self, Problem> {
        let base = base.trim_end_matches('/');
        if !(base.starts_with("https://") || base.starts_with("http://")) || base.len() > BASE_LEN_MAX {
            let valid = format!("base: the address of the service, http:// or https://, at most {BASE_LEN_MAX} bytes");
            return Err(Problem::BadInput(valid));
        }
        Ok(Self::of(&format!("{base}{link}")))
    }

    /// The code of a text of at most 1,000 bytes.
    fn of(text: &str) -> Self {
        let code = qrcode::QrCode::with_error_correction_level(text, EcLevel::M);
        let code = code.expect("a code of level M holds 2,331 bytes");
        let size = code.width();
        let colors = code.to_colors();
        let path = colors.chunks(size).enumerate().map(|(y, row)| runs(y, row)).collect();
        Self { size: size as u32, path }
    }
}

/// The runs of dark modules in a row, each as a rectangle.
fn runs(y: usize, row: &[Color]) -> String {
    let mut path = String::new();
    let mut x = 0;
    for run in row.chunk_by(|one, other| one == other) {
        let length = run.len();
        if run[0] == Color::Dark {
            path.push_str(&format!("M{x} {y}h{length}v1h-{length}z"));
        }
        x += length;
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws a path of `runs` again, as rows of modules.
    fn drawn(code: &QrCode) -> Vec<Vec<bool>> {
        let size = code.size as usize;
        let mut rows = vec![vec![false; size]; size];
        for part in code.path.split('M').skip(1) {
            let (at, rest) = part.split_once('h').expect("a run is horizontal");
            let (x, y) = at.split_once(' ').expect("a run starts somewhere");
            let (x, y): (usize, usize) = (x.parse().expect("x"), y.parse().expect("y"));
            let length: usize = rest.split_once('v').expect("a run has a height").0.parse().expect("a length");
            rows[y][x..x + length].fill(true);
        }
        rows
    }

    #[test]
    fn a_path_draws_the_modules_of_the_code() {
        let text = format!("https://plybook.example/table#token=ply_{}", "a".repeat(64));
        let code = QrCode::of(&text);
        let expected = qrcode::QrCode::with_error_correction_level(&text, EcLevel::M).expect("it fits");
        let modules: Vec<bool> = expected.to_colors().into_iter().map(|color| color == Color::Dark).collect();
        assert_eq!(drawn(&code).concat(), modules);
        let finder: String = drawn(&code)[0][..7].iter().map(|dark| if *dark { '#' } else { '.' }).collect();
        assert_eq!(finder, "#######", "a code begins with a finder pattern");
    }

    #[test]
    fn the_longest_link_has_a_code() {
        assert!(QrCode::of(&"x".repeat(1_000)).size <= 177);
    }
}
