package index

// Limits of one index. Each bounds work or memory that a document, a query or a file of
// foreign origin could otherwise ask for.
const (
	maxFields      = 8       // fields; a posting keeps them as the bits of one byte
	maxName        = 64      // bytes of a field or facet name; a label, not text
	maxSpace       = 256     // bytes of a space name; "code:" and a graph id fit
	maxKey         = 128     // bytes of a document key; every id of the network fits
	maxFacetValue  = 256     // bytes of a facet value; the longest DID we accept fits
	maxFacetValues = 64      // facet values of one document; a handful is usual
	maxFieldTerms  = 1 << 16 // terms of one field that are indexed; what follows is ignored
	maxTerm        = 64      // bytes of a term; a longer one is cut, in document and query alike
	maxWordParts   = 8       // parts of an identifier; with more it is a hash and only kept whole

	maxQueryText    = 16 << 10 // bytes of query text that are read; the longest question fits
	maxQueryTerms   = 64       // distinct query terms; each costs a walk over its postings
	maxFilterValues = 1024     // filter values of one query; each costs a walk over its postings
	maxLimit        = 1000     // hits of one page; the API serves at most 100
	defaultLimit    = 20       // hits of one page when none is asked

	minPrior = 0.8  // fame or its lack
	maxPrior = 1.25 // cannot bury the right answer

	maxMemtable = 16 << 20 // estimated bytes; beyond, the memtable is sealed without waiting for Commit
	maxSegment  = 64 << 20 // bytes of a merge's inputs; bounds the work and memory of one Commit
	mergeFactor = 8        // segments of one tier that are merged into one of the next
	tierBase    = 64 << 10 // bytes; segments below it are all of the lowest tier

	blockSize = 16   // entries of a table block; one lookup decodes half of it
	window    = 4096 // documents scored at a time; the accumulators stay in the first cache

	maxEntry = 512       // bytes of a table entry: a key, a term, or a facet's name and value
	maxFile  = 1<<32 - 1 // bytes of a segment; its offsets have 32 bits
)
