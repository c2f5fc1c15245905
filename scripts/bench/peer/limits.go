package main

import "time"

const (
	// nodeCount is the number of nodes that converge before one more joins.
	nodeCount = 3

	// valueBytes is the size of a value: about what a short entry takes. The
	// bytes are random, so that no layer gains by compressing them.
	valueBytes = 200

	// maxEntries keeps a run within the disk and the patience of one machine.
	maxEntries = 10_000_000

	// maxBatch keeps a batch below the 1 MiB of keys and values at which
	// go-ds-crdt commits by itself, which would make the figures those of
	// another batch size.
	maxBatch = 4_000

	// rebroadcastEvery is how often a node repeats heads nobody else has
	// announced. A writer is faster than its readers, whose topic queues of 32
	// announcements overflow, and the last head then waits for this timer. With
	// the library's default of a minute, or the five seconds of its example
	// program, the timer alone would decide the result; below a second nothing
	// is gained any more.
	rebroadcastEvery = time.Second

	// graftQueue bounds the mesh events of one node that nobody has read yet.
	// A node meets three others; a surplus event is dropped.
	graftQueue = 64
)
