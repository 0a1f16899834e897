use std::collections::BTreeSet;

use super::Pattern;

/// The structure of a Cholesky factor: in which order the blocks are eliminated, and where the
/// factor is nonzero. Depends on the pattern alone, so it is found once and used for every matrix.
#[derive(Debug, Clone, Default)]
pub struct Elimination {
    /// `order[k]`: the block that is eliminated as number `k`.
    pub order: Vec<usize>,
    /// Column `k` of the factor is the entries `start[k]..start[k + 1]`.
    pub start: Vec<usize>,
    /// Row of each entry, as an elimination number, ascending within its column.
    pub row: Vec<usize>,
    /// Row `k` of the factor is `row_entries[row_start[k]..row_start[k + 1]]`.
    pub row_start: Vec<usize>,
    /// Column and index of each entry, row by row, columns ascending.
    pub row_entries: Vec<(usize, usize)>,
    /// For each edge of the pattern its entry in the factor, and whether it lies there transposed.
    pub edge_entry: Vec<(usize, bool)>,
}

impl Elimination {
    /// Orders by minimum degree: the block with the fewest neighbours goes first, and its neighbours
    /// become neighbours of one another. A chain or a tree fills nothing in. On a tie the one goes
    /// first whose degree has been what it is for longest: a chain is then eaten from both ends in
    /// turn, and each operation need not wait for the one before it.
    pub fn new(pattern: &Pattern) -> Self {
        let blocks = pattern.blocks();
        let (order, columns) = minimum_degree(pattern);
        let mut number = vec![0; blocks];
        for (k, &block) in order.iter().enumerate() {
            number[block] = k;
        }

        let mut start = vec![0];
        let mut row = Vec::new();
        for neighbours in &columns {
            let begin = row.len();
            row.extend(neighbours.iter().map(|&block| number[block]));
            row[begin..].sort_unstable();
            start.push(row.len());
        }

        let mut rows = vec![Vec::new(); blocks];
        for column in 0..blocks {
            for entry in start[column]..start[column + 1] {
                rows[row[entry]].push((column, entry));
            }
        }
        let mut row_start = vec![0];
        let mut row_entries = Vec::with_capacity(row.len());
        for entries in rows {
            row_entries.extend(entries);
            row_start.push(row_entries.len());
        }

        let edge_entry = pattern
            .edges()
            .iter()
            .map(|&(high, low)| {
                let (column, below) = (number[high].min(number[low]), number[high].max(number[low]));
                let in_column = row[start[column]..start[column + 1]].partition_point(|&r| r < below);
                (start[column] + in_column, number[high] < number[low])
            })
            .collect();
        Self { order, start, row, row_start, row_entries, edge_entry }
    }

    /// Number of off-diagonal blocks of the factor, fill included.
    pub fn entries(&self) -> usize {
        self.row.len()
    }
}

/// The elimination order, and for each eliminated block its neighbours at that moment, which are
/// the rows of its column of the factor.
fn minimum_degree(pattern: &Pattern) -> (Vec<usize>, Vec<Vec<usize>>) {
    let blocks = pattern.blocks();
    let mut neighbours = vec![Vec::new(); blocks];
    for &(high, low) in pattern.edges() {
        neighbours[high].push(low);
        neighbours[low].push(high);
    }
    neighbours.iter_mut().for_each(|list| list.sort_unstable());
    // Entries are (degree, when it became that, block).
    let mut since = vec![0; blocks];
    let mut queue: BTreeSet<(usize, usize, usize)> =
        neighbours.iter().enumerate().map(|(block, list)| (list.len(), 0, block)).collect();
    let mut order = Vec::with_capacity(blocks);
    let mut columns = Vec::with_capacity(blocks);
    while let Some((_, _, block)) = queue.pop_first() {
        let front = std::mem::take(&mut neighbours[block]);
        for &member in &front {
            let list = &mut neighbours[member];
            queue.remove(&(list.len(), since[member], member));
            list.extend_from_slice(&front);
            list.sort_unstable();
            list.dedup();
            list.retain(|&other| other != member && other != block);
            since[member] = order.len() + 1;
            queue.insert((list.len(), since[member], member));
        }
        order.push(block);
        columns.push(front);
    }
    (order, columns)
}
