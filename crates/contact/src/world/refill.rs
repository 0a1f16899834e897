/// A list that is filled anew from its start, over what it held: its things are large, and copies of them are felt.
pub(super) struct Refill<'a, T> {
    list: &'a mut Vec<T>,
    count: usize,
}

impl<'a, T> Refill<'a, T> {
    pub fn new(list: &'a mut Vec<T>) -> Self {
        Self { list, count: 0 }
    }

    /// The next place, which holds anything; `blank` makes one where the list ends.
    pub fn next(&mut self, blank: impl FnOnce() -> T) -> &mut T {
        if self.count == self.list.len() {
            self.list.push(blank());
        }
        self.count += 1;
        &mut self.list[self.count - 1]
    }
}

impl<T> Drop for Refill<'_, T> {
    /// What was not filled anew goes.
    fn drop(&mut self) {
        self.list.truncate(self.count);
    }
}
