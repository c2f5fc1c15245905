package attest

// Sizes of this package.
const (
	// MaxEnvelope is the longest envelope read, in bytes: one of MaxFiles files
	// with paths of 150 characters.
	MaxEnvelope = 32 << 20
	// MaxSignatures bounds what an envelope costs to check.
	MaxSignatures = 16
	// MaxSubjects bounds the subjects of a statement read.
	MaxSubjects = 1024
	// MaxFiles is how many changed files one attestation covers: a first import
	// of a large tree.
	MaxFiles = 50_000
	// MaxPath is the longest path, in bytes: PATH_MAX of Linux.
	MaxPath = 4096
	// MaxTrailers is the longest commit message read, in bytes.
	MaxTrailers = 64 << 10
	// MaxTicks is how many ticks one play covers: five hours at 60 a second.
	MaxTicks = 1 << 20
	// MaxRunID is the longest run id, in bytes.
	MaxRunID = 128
	// MaxCited is how many cited entries Judge visits before it gives up.
	MaxCited = 10_000
)
