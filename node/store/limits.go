package store

const (
	// maxLockBytes bounds what is read of a LOCK file; ours is below 1 KiB.
	maxLockBytes = 4 << 10
	// maxCommandRunes bounds the command recorded in the LOCK file.
	maxCommandRunes = 200
	// maxVersionBytes bounds what is read of a VERSION file.
	maxVersionBytes = 32
)
