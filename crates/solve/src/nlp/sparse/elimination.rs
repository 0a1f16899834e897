//! In which order the unknowns of a sparse symmetric system are eliminated, and which are
//! eliminated together.

/// Unknowns that are merged into one node although this stores some zeros: a dense block of this
/// size costs less than the bookkeeping of its parts.
const SMALL: usize = 10;

/// Unknowns that are eliminated together, in one dense matrix.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    /// The unknowns, by their place in the order of elimination.
    pub pivots: Vec<usize>,
    /// Later unknowns that the elimination changes, ascending.
    pub border: Vec<usize>,
    /// The node that eliminates the first of the border.
    pub parent: Option<usize>,
}

/// The order of elimination and its tree.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Elimination {
    /// The unknown at every place of the order.
    pub unknowns: Vec<usize>,
    /// The place of every unknown.
    pub places: Vec<usize>,
    /// Nodes; a parent comes after its children.
    pub nodes: Vec<Node>,
    /// The node of every place.
    pub node_of: Vec<usize>,
}

impl Elimination {
    /// Analyses a matrix whose upper triangle is given by rows: the columns of row `i` are
    /// `columns[starts[i]..starts[i + 1]]`. The order is that of approximate minimum degree
    /// (Amestoy, Davis and Duff 1996). `None` if the pattern is not one.
    pub fn new(starts: &[usize], columns: &[usize]) -> Option<Self> {
        let order = starts.len() - 1;
        let (all_starts, all_columns) = with_diagonal(starts, columns);
        let (unknowns, places, _) =
            amd::order(order, &all_starts, &all_columns, &amd::Control::default()).ok()?;
        let mut later: Vec<Vec<usize>> = vec![Vec::new(); order];
        for row in 0..order {
            for &column in &columns[starts[row]..starts[row + 1]] {
                let (a, b) = (places[row], places[column]);
                if a != b {
                    later[a.min(b)].push(a.max(b));
                }
            }
        }
        let (nodes, node_of) = merge(later);
        Some(Self { unknowns, places, nodes, node_of })
    }
}

/// The pattern with all its diagonal, without which the ordering subtracts below zero.
fn with_diagonal(starts: &[usize], columns: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let (mut all_starts, mut all_columns) = (vec![0], Vec::with_capacity(columns.len()));
    for (row, range) in starts.windows(2).enumerate() {
        let of_row = &columns[range[0]..range[1]];
        if of_row.first() != Some(&row) {
            all_columns.push(row);
        }
        all_columns.extend(of_row);
        all_starts.push(all_columns.len());
    }
    (all_starts, all_columns)
}

/// Turns the columns of the matrix (places below the diagonal) into the nodes of the elimination
/// tree, merging a child into its parent where that stores no or few zeros.
fn merge(mut later: Vec<Vec<usize>>) -> (Vec<Node>, Vec<usize>) {
    let order = later.len();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); order];
    let mut pivots: Vec<Vec<usize>> = Vec::with_capacity(order);
    let mut last_seen = vec![usize::MAX; order];
    for place in 0..order {
        // The border: what the column holds itself and what its children's elimination fills in.
        let mut border = std::mem::take(&mut later[place]);
        border.retain(|&row| std::mem::replace(&mut last_seen[row], place) != place);
        for &child in &children[place] {
            let filled = later[child].iter().copied().filter(|&row| row != place);
            border.extend(filled.filter(|&row| std::mem::replace(&mut last_seen[row], place) != place));
        }
        border.sort_unstable();

        let candidates = std::mem::take(&mut children[place]);
        // One child whose border is all of this column stores no zeros; two of them would store
        // those between each other.
        let continued = { candidates.iter().copied() }
            .filter(|&child| later[child].len() == border.len() + 1)
            .max_by_key(|&child| pivots[child].len());
        let mut own = continued.map_or_else(Vec::new, |child| std::mem::take(&mut pivots[child]));
        own.push(place);
        let mut kept = Vec::new();
        for child in candidates {
            if Some(child) == continued {
                kept.append(&mut children[child]);
            } else if own.len() + pivots[child].len() <= SMALL {
                own.append(&mut pivots[child]);
                kept.append(&mut children[child]);
            } else {
                kept.push(child);
            }
        }
        children[place] = kept;
        pivots.push(own);
        if let Some(&parent) = border.first() {
            children[parent].push(place);
        }
        later[place] = border;
    }
    compress(later, pivots)
}

/// Drops the columns that were merged into their parents.
fn compress(borders: Vec<Vec<usize>>, pivots: Vec<Vec<usize>>) -> (Vec<Node>, Vec<usize>) {
    let mut nodes: Vec<Node> = Vec::new();
    let mut node_of = vec![0; borders.len()];
    for (border, pivots) in borders.into_iter().zip(pivots) {
        if !pivots.is_empty() {
            pivots.iter().for_each(|&pivot| node_of[pivot] = nodes.len());
            nodes.push(Node { pivots, border, parent: None });
        }
    }
    for node in &mut nodes {
        node.parent = node.border.first().map(|&place| node_of[place]);
    }
    (nodes, node_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of `size` unknowns, full in themselves, that meet in one last unknown.
    fn arrow(blocks: usize, size: usize) -> Elimination {
        let order = blocks * size + 1;
        let (mut starts, mut columns) = (vec![0], Vec::new());
        for row in 0..order - 1 {
            columns.extend(row..(row / size + 1) * size);
            columns.push(order - 1);
            starts.push(columns.len());
        }
        columns.push(order - 1);
        starts.push(columns.len());
        Elimination::new(&starts, &columns).expect("an upper triangle")
    }

    #[test]
    fn blocks_that_share_one_unknown_are_not_merged_with_each_other() {
        let elimination = arrow(100, SMALL);
        let largest = elimination.nodes.iter().map(|node| node.pivots.len() + node.border.len()).max();
        assert_eq!(largest, Some(SMALL + 1));
    }

    #[test]
    fn every_unknown_is_eliminated_once_and_parents_come_later() {
        let elimination = arrow(30, 5);
        let mut pivots: Vec<usize> = elimination.nodes.iter().flat_map(|node| node.pivots.clone()).collect();
        pivots.sort_unstable();
        assert_eq!(pivots, (0..151).collect::<Vec<_>>());
        for (index, node) in elimination.nodes.iter().enumerate() {
            assert!(node.parent.is_none_or(|parent| parent > index));
            assert!(node.border.is_empty() == node.parent.is_none());
        }
    }
}
