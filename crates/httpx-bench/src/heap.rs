//! What a program's allocator knows.

/// The state of the heap. All zero where nobody counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heap {
    /// Blocks since the start, freed ones included. One that grows or shrinks is not counted again.
    pub allocations: u64,
    /// Their bytes, and what blocks grew by.
    pub bytes: u64,
    /// Bytes in use now.
    pub live: u64,
}

/// Looks at the heap.
pub type Look = fn() -> Heap;
