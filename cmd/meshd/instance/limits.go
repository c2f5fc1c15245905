package instance

import "time"

const (
	// MaxWalletFile bounds a file with a wallet's secret, in bytes: 66 characters
	// and a line end are what it takes.
	MaxWalletFile = 256
	// minSharedSecret and maxSharedSecret bound the file that gateways of one
	// database share, in bytes: too short could be guessed, and a book is a mistake.
	minSharedSecret = 32
	maxSharedSecret = 4 << 10
	// adminHeaderTime bounds the headers of a request to the admin listener.
	adminHeaderTime = 10 * time.Second
	// maxLogFile bounds a log of the process, in bytes; one full log is kept beside it.
	maxLogFile = 16 << 20
	// maxRecentLines and maxRecentLine bound what the console shows of the log: lines, and
	// bytes of one.
	maxRecentLines = 1000
	maxRecentLine  = 2 << 10
)

// OldLog is what the name of a full log gets.
const OldLog = ".old"
