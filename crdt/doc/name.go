package doc

import (
	"crypto/sha256"
	"strconv"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
)

// Name is the name of a document within its space: page, room, board or
// project/…, from the second generation on with a suffix: page~2. The zero
// Name is not valid; ParseName makes valid ones.
type Name string

// ParseName checks s. The refusal is bad_encoding. There is one spelling for a
// document: the first generation has no suffix, others no leading zeros.
func ParseName(s string) (Name, error) {
	base, suffix, more := strings.Cut(s, "~")
	if more && !validGeneration(suffix) {
		return "", refuse("document name: generation %.20q is not ~2 or higher", suffix)
	}
	switch base {
	case "page", "room", "board":
		return Name(s), nil
	}
	path, ok := strings.CutPrefix(base, "project/")
	if !ok {
		return "", refuse("document name %.100q is not page, room, board or project/…", base)
	}
	if len(path) < 1 || len(path) > maxProject {
		return "", refuse("document name: project path of %d characters, 1 to %d are allowed", len(path), maxProject)
	}
	for i := range len(path) {
		c := path[i]
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("./_-", c) >= 0) {
			return "", refuse("document name: character %q is not allowed in a project path", c)
		}
	}
	return Name(s), nil
}

func validGeneration(s string) bool {
	if len(s) < 1 || len(s) > maxGeneration || s[0] < '1' || s == "1" {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// Base is the name without its generation.
func (n Name) Base() string {
	base, _, _ := strings.Cut(string(n), "~")
	return base
}

// Generation is 1 for a name without suffix and 0 for a name that ParseName refuses.
func (n Name) Generation() int {
	_, suffix, more := strings.Cut(string(n), "~")
	if !more {
		return 1
	}
	g, err := strconv.Atoi(suffix)
	if err != nil {
		return 0
	}
	return g
}

// Next is the name of the following generation.
func (n Name) Next() Name {
	return Name(n.Base() + "~" + strconv.Itoa(n.Generation()+1))
}

// Actor is the Automerge actor of author in one document. Only it may stand as
// author in that author's chunks.
func Actor(author did.Key, space, doc string) [16]byte {
	h := sha256.New()
	h.Write([]byte("mesh-actor-v1\x00"))
	h.Write(author[:])
	h.Write([]byte(space + "\x00" + doc))
	return [16]byte(h.Sum(nil)[:16])
}

// ID names one document across all spaces.
func ID(space, doc string) [32]byte {
	return sha256.Sum256([]byte(space + "\x00" + doc))
}

func refuse(format string, args ...any) *reason.Refusal {
	return reason.Refuse(reason.BadEncoding, format, args...)
}
