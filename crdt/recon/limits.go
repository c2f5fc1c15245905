package recon

// Limits of the tree. They trade memory for the cost of one insert or one range
// sum; changing them changes neither bytes nor results.
const (
	leafItems  = 256 // items in a leaf: 10 KiB, a size class of the allocator, so a full leaf wastes nothing
	leafStep   = 32  // items by which a leaf grows: at most 1.2 KiB of slack in a leaf
	branchKids = 64  // children of a branch: three levels take a million items
)

// Limits of the sketch.
const (
	// MaxSymbols is the number of coded symbols a sketch has: enough for about
	// 5,800 differing ids, in 256 KiB.
	MaxSymbols = 8192

	minAsk     = 32      // symbols asked for at first: one packet, enough for 10 to 20 differences
	minStep    = 10      // symbols asked for later: three for what the exchange costs, and few to spare
	hopeless   = 6400    // differing ids that all symbols do not resolve
	maxPaired  = 256     // symbols left of which every two are compared: 32,640 pairs
	maxChecks  = 1 << 17 // checks of compared symbols in one session: some 20 ms
	sketchFrom = 4097    // ids from which the sketch is kept at insert; below it takes a few ms to compute
	maxMembers = 1 << 53 // ids a foreign symbol may claim to contain: exact in a double, far from overflow
)

// Limits of the range protocol.
const (
	// MaxFrame is the largest message read or written, in bytes.
	MaxFrame = 64 << 10

	// MinFrame is the smallest frame limit that still lets every round get on.
	MinFrame = 4 << 10

	frameReserve = 200     // bytes kept free for the bounds that close a full frame
	buckets      = 16      // parts a differing range is split into
	listBelow    = 32      // a range of fewer items is answered with its ids
	maxHave      = 1 << 16 // items one message can make us report; the rest of the range waits for the next round
)
