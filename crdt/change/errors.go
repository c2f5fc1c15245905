package change

import (
	"errors"
	"fmt"
)

// What a head can get wrong. Callers see these only inside a refusal's text.
var (
	errVersion    = errors.New("unknown version")
	errKind       = errors.New("not a kind")
	errLength     = errors.New("wrong length")
	errTooMany    = errors.New("too many items")
	errUnknownKey = errors.New("unknown key")
	errMissingKey = errors.New("a key is missing")
	errSeq        = errors.New("seq must be at least 1")
	errPrev       = errors.New("prev must be empty exactly when seq is 1")
	errSig2       = errors.New("sig2 outside of the control lane")
	errDeps       = errors.New("deps must be sorted and unique, without prev")
)

type keyError struct {
	key string
	err error
}

func (e keyError) Error() string { return fmt.Sprintf("key %q: %v", e.key, e.err) }
func (e keyError) Unwrap() error { return e.err }
