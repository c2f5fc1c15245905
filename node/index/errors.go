package index

import "errors"

var (
	// ErrCorrupt means that a file of the index is damaged, missing or not what the
	// manifest says. Remove the folder and feed the index again.
	ErrCorrupt = errors.New("index is damaged")

	// ErrStale means that the files were made by another analyser, format or set of
	// fields. Remove the folder and feed the index again.
	ErrStale = errors.New("index was made by another version")

	// ErrInvalid means that an argument breaks a limit of this package; nothing was done.
	ErrInvalid = errors.New("invalid argument")

	// ErrClosed means that the index was closed.
	ErrClosed = errors.New("index is closed")
)
