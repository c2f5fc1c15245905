package upgrade

import "time"

const (
	// maxArchive bounds an archive of a release, and maxProgram the program in it, in
	// bytes: five times what they have.
	maxArchive = 256 << 20
	maxProgram = 512 << 20
	// maxSums bounds the list of checksums, its signature and a key, in bytes.
	maxSums = 64 << 10
	// fetchWithin bounds a transfer of one file, and answerWithin how long a program may
	// take to say its version.
	fetchWithin  = 30 * time.Minute
	answerWithin = 30 * time.Second
)
