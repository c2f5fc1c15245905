package v0

import (
	"cmp"
	"slices"
	"strings"
)

// Code is what is wrong with a token, in the words of the UCAN working group's
// fixtures. Codes never change.
type Code string

// The codes, in the order in which one is shown where there is room for one.
const (
	MissingField        Code = "missingField"        // a required member is not there
	IncorrectType       Code = "incorrectType"       // a member has another form than it must
	IncorrectProofs     Code = "incorrectProofs"     // an entry of prf is no content id, or the token behind it is another
	Expired             Code = "expired"             // now is after exp
	NotReady            Code = "notReady"            // now is before nbf
	UnavailableProof    Code = "unavailableProof"    // a proof that is needed is not at hand
	TimeBoundsViolation Code = "timeBoundsViolation" // the token is valid longer than its proof
	InvalidDelegation   Code = "invalidDelegation"   // the token is not, or not so far, covered by its proofs
	NotRootOwner        Code = "notRootOwner"        // the issuer of a token without proofs does not own the resource
	Revoked             Code = "revoked"             // the token, or what it needs, is revoked
	Replayed            Code = "replayed"            // the token acted before; found by the API, never by Verify
	InvalidSignature    Code = "invalidSignature"    // the issuer did not sign
)

var order = []Code{
	MissingField, IncorrectType, IncorrectProofs, Expired, NotReady, UnavailableProof, TimeBoundsViolation,
	InvalidDelegation, NotRootOwner, Revoked, Replayed, InvalidSignature,
}

// Why distinguishes causes that share a code.
type Why string

// The causes of InvalidDelegation, of which only WhyCoverage is about how far the
// rights go, and the others about the chain itself.
const (
	WhyAlignment Why = "alignment" // the proof was given to somebody else
	WhyCoverage  Why = "coverage"  // no proof gives the right, or not as wide
	WhyVersion   Why = "version"   // the token's version is older than its proof's
	WhyDepth     Why = "depth"     // more links than allowed
	WhySize      Why = "size"      // more tokens, or more work, than one verification takes
)

// Finding is one thing that is wrong.
type Finding struct {
	Code Code
	Why  Why    // only for InvalidDelegation, else ""
	At   string // JSON pointer (RFC 6901) into {"header","payload","signature"}, "" for the token as a whole
	In   string // content id of the token it was found in; "" for a text that is no token
}

// Findings is a sorted set. A token is valid when it is empty.
type Findings []Finding

// add inserts f unless it is there; sorted does the sorting.
func (f *Findings) add(x Finding) { *f = append(*f, x) }

func (f Findings) sorted() Findings {
	slices.SortFunc(f, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(slices.Index(order, a.Code), slices.Index(order, b.Code)),
			strings.Compare(string(a.Why), string(b.Why)),
			strings.Compare(a.In, b.In), strings.Compare(a.At, b.At),
		)
	})
	return slices.Compact(f)
}

// Has reports whether a code is among the findings.
func (f Findings) Has(c Code) bool {
	return slices.ContainsFunc(f, func(x Finding) bool { return x.Code == c })
}

// HasWhy reports whether a cause is among the findings.
func (f Findings) HasWhy(w Why) bool {
	return slices.ContainsFunc(f, func(x Finding) bool { return x.Why == w })
}

// Codes lists the codes found, each once, in the order of their declaration.
func (f Findings) Codes() []Code {
	out := []Code{}
	for _, c := range order {
		if f.Has(c) {
			out = append(out, c)
		}
	}
	return out
}

// Error makes findings an error: the codes, each with its place.
func (f Findings) Error() string {
	if len(f) == 0 {
		return "no findings"
	}
	parts := make([]string, 0, len(f))
	for _, x := range f {
		s := string(x.Code)
		if x.Why != "" {
			s += " (" + string(x.Why) + ")"
		}
		if x.At != "" {
			s += " at " + x.At
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "; ")
}

// Err is f as an error, nil when it is empty.
func (f Findings) Err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

// pointer makes a JSON pointer.
func pointer(names ...string) string {
	var b strings.Builder
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	for _, n := range names {
		b.WriteByte('/')
		b.WriteString(escape.Replace(n))
	}
	return b.String()
}
