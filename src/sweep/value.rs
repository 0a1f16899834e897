//! Values of keys, as they stand in a table.

/// A value in TOML as a cell: a string loses its quotes, anything else stays as it was written, on
/// one line.
pub fn as_cell(value: &str) -> String {
    let value = value.trim();
    for quote in ['"', '\''] {
        if let Some(inner) = value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote))
            && !inner.contains([quote, '\\'])
        {
            return inner.to_owned();
        }
    }
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::as_cell;

    #[test]
    fn strings_lose_their_quotes_and_lists_their_line_breaks() {
        assert_eq!(as_cell("\"ipopt\""), "ipopt");
        assert_eq!(as_cell("'ipopt'"), "ipopt");
        assert_eq!(as_cell("[1.0,\n  2.0]"), "[1.0, 2.0]");
        assert_eq!(as_cell(" 1e-3 "), "1e-3");
    }
}
