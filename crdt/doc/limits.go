package doc

// Limits of one chunk. A breach is bad_encoding: the chunk is invalid for everyone.
const (
	MaxChunk  = 48 << 10 // bytes of a chunk: it fits a change body with room for the name
	MaxOps    = 5000     // operations of a chunk: bounds what a few run-length bytes can unfold to
	MaxDeps   = 64       // hashes a chunk builds on
	MaxKey    = 64       // bytes of a map key
	MaxScalar = 4 << 10  // bytes of one text or bytes value

	maxPreds   = 2 * MaxOps // predecessors of a chunk, summed: run lengths must not unfold without end
	maxCounter = 1<<31 - 1  // highest operation counter: Automerge counts in 32 bits
	actorSize  = 16         // bytes of an actor id, see Actor
)

// Limits of one document. An edit that would carry a document over one of them
// has no effect (see Order); its change stays a member.
const (
	MaxEdits    = 5000      // edits with effect: what Automerge loads in 0.2 s
	MaxDocBytes = 256 << 10 // bytes of their chunks, summed
	MaxText     = 65_536    // characters in live texts: one costs 0.4 kB in the worker

	// MaxDocOps bounds operations, the predecessors they name, and three more
	// for each object made. A run of five thousand list items packs into a
	// hundred bytes, so the limit in bytes alone would let a document take
	// gigabytes in the worker; an item read there costs 1.8 kB, a text 4 kB.
	MaxDocOps = 128 << 10
	// MaxWrites is how often one key or element may be written: the worker's
	// time grows with its square. Edit by edit, the limit in bytes comes first.
	MaxWrites = 2500
	// MaxDepth is how deep maps and lists may nest; the root is depth 0.
	MaxDepth = 64
)

// Limits of a document name.
const (
	maxProject    = 80 // characters after "project/"
	maxGeneration = 9  // digits of a generation
)

// objectCost is what an operation that makes an object adds to MaxDocOps beside itself.
const objectCost = 3
