// Package near finds, among what an author wrote lately, the texts that are
// almost the same as a new one, in time that does not grow with how much that is.
//
// Two texts are alike (Text.Like) when they differ in at most one word, or in
// one word of twenty when they are long. An Index answers which entries may be
// alike; whoever asks reads those few texts and compares. It keeps 70 to 90
// bytes an entry for a window of time, in memory and in the node's checkpoint.
//
// A short text of n words has its words dealt into four hands by their hash. One
// word put in the place of another changes two hands at most, so at least one of
// the six pairs of hands stays as it was: its hash, with n, is a key under which
// the other text is found. It is certain, not likely. A long text has six keys,
// the least hashes of its runs of three words in six classes (MinHash by one
// permutation): texts that are alike share 0.74 of those runs or more, so that
// one of 3,000 is missed. Texts of middling length have both.
//
// A key leads to the newest eight of its entries, so that nobody makes a search
// long by writing much that begins alike.
package near
