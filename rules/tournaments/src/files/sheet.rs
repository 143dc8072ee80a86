//! Comma-separated values as spreadsheets read them (RFC 4180, UTF-8 with a byte order mark).

/// Rows of cells.
pub struct Sheet(csv::Writer<Vec<u8>>);

impl Sheet {
    /// A sheet with these columns.
    pub fn new<'a>(columns: impl IntoIterator<Item = &'a str>) -> Self {
        let mut sheet = Self(csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new()));
        sheet.row(columns.into_iter().map(str::to_owned));
        sheet
    }

    /// Adds a row. A text that a spreadsheet would take for a formula gets a leading apostrophe.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.0.write_record(cells.into_iter().map(harmless)).expect("rows are written to memory, all of one length");
    }

    /// The whole text.
    pub fn text(self) -> String {
        let bytes = self.0.into_inner().expect("rows are written to memory");
        // Without the mark, Excel takes the text for one in the encoding of the country.
        format!("\u{feff}{}", String::from_utf8(bytes).expect("cells are text"))
    }
}

fn harmless(cell: String) -> String {
    let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula && cell.parse::<i64>().is_err() { format!("'{cell}") } else { cell }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stay_cells() {
        let mut sheet = Sheet::new(["a", "b"]);
        sheet.row(["x,y".to_owned(), "he said \"no\"".to_owned()]);
        sheet.row(["=cmd()".to_owned(), "-5".to_owned()]);
        assert_eq!(sheet.text(), "\u{feff}a,b\r\n\"x,y\",\"he said \"\"no\"\"\"\r\n'=cmd(),-5\r\n");
    }
}
