package backup

const (
	maxName   = 512       // bytes of the name of a file
	maxFiles  = 1_000_000 // of one backup
	chunk     = 64 << 10  // bytes of a file in one record
	maxRecord = 4 << 20   // bytes of one record; a pair of the log is far smaller
	window    = 8 << 20   // of the compression, which a reader keeps in memory
	maxHeader = 256 << 10 // bytes of the header and of the end
)
