package change

// Limits of wire §3. What breaks MaxHead or MaxBody is change_too_large, the
// rest bad_encoding; the sender is scored for either.
const (
	MaxHead   = 5 << 10  // bytes: a hybrid signature and twelve ids fit
	MaxBody   = 64 << 10 // bytes: 4,000 four-byte characters with full evidence fit
	MaxDeps   = 8        // ids: bounds the causal walk
	MaxProof  = 4        // ids: an identity, a right, and room for two
	MaxKind   = 24       // bytes
	MaxSpace  = 80       // bytes
	Sig2Size  = 3309     // bytes of an ML-DSA-65 signature
	MaxShards = 256      // open sets of one network
	MaxRoots  = 5        // root keys of one network
	MaxKeys   = 128      // that one agent has had: more than one for each month of ten years
	MaxName   = 64       // characters of a network's name
)

// MaxRun is how many places below a verified head of a content lane its
// signature vouches for (wire §3, chain evidence).
const MaxRun = 256
