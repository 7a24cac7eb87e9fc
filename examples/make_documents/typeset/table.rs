//! Sets tables: figures in columns aligned at the right, text in columns that wrap.

use std::rc::Rc;

use super::lines::break_lines;
use super::markup::{Row, RowKind, Table};
use super::pages::PageNumbers;
use super::pieces::{ASCENT, Draw, Mark, Piece};
use super::style::{BLACK, GREY, Style};

const GUTTER: f32 = 7.0;
const INDENT: f32 = 10.0;
const THIN: f32 = 0.5;
const THICK: f32 = 1.0;
/// A table that fills more of a page than this may be divided.
const WHOLE_UP_TO: f32 = 0.9;

/// Caption and rows as pieces. A table that fits on a page is kept together; a longer one repeats its head.
pub fn set_table(table: &Table, style: &Style, numbers: &PageNumbers) -> anyhow::Result<Vec<Piece>> {
    let mut pieces = Vec::new();
    if !table.caption.is_empty() {
        pieces.extend(caption(&numbers.resolve(&table.caption), style)?);
    }
    let heads = table.rows.iter().take_while(|row| row.kind == RowKind::Head).count();
    for (index, row) in table.rows.iter().enumerate() {
        let mut piece = set_row(row, table, style, numbers)?;
        if index + 1 == heads {
            piece.draws.push(Draw::rule(style.side, piece.height, width(table, style), THIN, BLACK));
            piece.after = 2.0;
        }
        pieces.push(piece);
    }
    let count = pieces.len();
    let lead = count - table.rows.len() + heads;
    let whole = pieces.iter().map(|piece| piece.height + piece.before).sum::<f32>() <= style.depth() * WHOLE_UP_TO;
    let head: Rc<Vec<Piece>> = Rc::new(pieces.get(lead - heads..lead).unwrap_or_default().to_vec());
    for (index, piece) in pieces.iter_mut().enumerate() {
        piece.keep = index + 1 < count && (whole || index <= lead || index + 3 > count);
        if index > lead {
            piece.repeat = Some(Rc::clone(&head));
        }
    }
    if let Some(first) = pieces.first_mut() {
        first.before = first.before.max(11.0);
        first.marks.extend(table.anchor.iter().map(|anchor| Mark::Anchor(anchor.clone())));
    }
    if let Some(last) = pieces.last_mut() {
        last.after = 11.0;
    }
    Ok(pieces)
}

fn width(table: &Table, style: &Style) -> f32 {
    table.columns.iter().map(|column| column.share).sum::<f32>() / 100.0 * style.measure()
}

fn caption(text: &str, style: &Style) -> anyhow::Result<Vec<Piece>> {
    let size = style.table_size + 0.5;
    let height = size * 1.3;
    let lines = break_lines(text, style.table_family.all_bold(), size, style.measure())?;
    let mut pieces: Vec<Piece> = lines
        .into_iter()
        .map(|line| Piece { height, draws: vec![Draw::line(line, style.side, height * ASCENT, size, BLACK)], ..Piece::default() })
        .collect();
    if let Some(last) = pieces.last_mut() {
        last.after = 3.0;
    }
    Ok(pieces)
}

fn set_row(row: &Row, table: &Table, style: &Style, numbers: &PageNumbers) -> anyhow::Result<Piece> {
    let size = style.table_size;
    let leading = size * 1.22;
    let pad = if table.ruled { 2.5 } else { 1.2 };
    let family = match row.kind {
        RowKind::Head | RowKind::Total | RowKind::Group => style.table_family.all_bold(),
        RowKind::Plain | RowKind::Subtotal => style.table_family,
    };
    let bracket = family.regular.width(")", size)?;

    let mut cells = Vec::new();
    let mut left = style.side;
    for (index, cell) in row.cells.iter().enumerate() {
        let column = table.columns.get(index).copied();
        let share = if row.kind == RowKind::Group { 100.0 } else { column.map_or(0.0, |column| column.share) };
        let column_width = share / 100.0 * style.measure();
        let right = column.is_some_and(|column| column.right);
        let (text, indent) = match cell.strip_prefix('>') {
            Some(rest) => (rest.trim(), INDENT),
            None => (cell.as_str(), 0.0),
        };
        let gutter = if right { bracket } else { GUTTER };
        let lines = break_lines(&numbers.resolve(text), family, size, column_width - indent - gutter)?;
        cells.push((left, column_width, right, indent, lines));
        left += column_width;
    }

    let most = cells.iter().map(|cell| cell.4.len()).max().unwrap_or(1);
    let mut piece = Piece { height: leading * most as f32 + 2.0 * pad, ..Piece::default() };
    if row.kind == RowKind::Group {
        piece.before = 4.0;
    }
    for (left, column_width, right, indent, lines) in cells {
        // Heads and figures stand on the last line of a row that is higher than they are, text on the first.
        let skip = if row.kind == RowKind::Head || (right && !table.ruled) { most - lines.len() } else { 0 };
        let filled = !lines.iter().all(|line| line.runs.is_empty());
        for (index, line) in lines.into_iter().enumerate() {
            let x = if right {
                // The closing bracket of a negative figure hangs out, so that digits stand below digits.
                let hang = if line.text().ends_with([')', '%']) { 0.0 } else { bracket };
                left + column_width - line.width - hang
            } else {
                left + indent
            };
            let y = pad + leading * ((skip + index) as f32 + ASCENT);
            piece.draws.push(Draw::line(line, x, y, size, BLACK));
        }
        if right && filled && matches!(row.kind, RowKind::Subtotal | RowKind::Total) {
            let inset = column_width * 0.12;
            piece.draws.push(Draw::rule(left + inset, 0.0, column_width - inset, THIN, BLACK));
            if row.kind == RowKind::Total {
                piece.draws.push(Draw::rule(left + inset, piece.height, column_width - inset, THICK, BLACK));
            }
        }
    }
    piece.draws.retain(|draw| !matches!(draw, Draw::Text { runs, .. } if runs.is_empty()));
    if table.ruled && row.kind != RowKind::Head {
        piece.draws.push(Draw::rule(style.side, piece.height, width(table, style), THIN, GREY));
    }
    Ok(piece)
}
