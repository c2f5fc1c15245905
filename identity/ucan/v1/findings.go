package v1

import (
	"errors"
	"fmt"
	"strings"
)

// Code names what is wrong with a token or its chain. Where a code of package v0
// means the same, it is the same text.
type Code string

// The codes, in the order in which [Findings.Code] prefers them.
const (
	MissingField      Code = "missingField"      // no invocation, or no resource in its arguments
	IncorrectType     Code = "incorrectType"     // not a container or token of this version, or not canonical
	IncorrectProofs   Code = "incorrectProofs"   // an entry of prf is not the CID of a UCAN 1.x token
	Expired           Code = "expired"           // now is after an end
	NotReady          Code = "notReady"          // now is before a start
	Revoked           Code = "revoked"           // a token of the chain was revoked
	UnavailableProof  Code = "unavailableProof"  // a token of the chain is not in the container
	InvalidDelegation Code = "invalidDelegation" // Why says in what way
	WrongAudience     Code = "wrongAudience"     // made for another executor
	NotRootOwner      Code = "notRootOwner"      // the subject does not own the resource
	InvalidSignature  Code = "invalidSignature"  // not the issuer's signature, or not a kind that is known here
)

var precedence = []Code{MissingField, IncorrectType, IncorrectProofs, Expired, NotReady, UnavailableProof,
	InvalidDelegation, WrongAudience, NotRootOwner, Revoked, InvalidSignature}

// Why is the finer reason of an InvalidDelegation.
type Why string

// The reasons. Those of the chain and those of coverage are distinct because
// endpoints answer them with different codes.
const (
	WhyDepth     Why = "depth"     // chain: more than MaxChain links
	WhyCycle     Why = "cycle"     // chain: one token twice
	WhyAlignment Why = "alignment" // chain: audience of a proof is not the issuer above it
	WhySubject   Why = "subject"   // chain: about another subject
	WhyPowerline Why = "powerline" // chain: about every subject, which is not allowed here
	WhyRoot      Why = "root"      // chain: does not begin with the subject
	WhyCommand   Why = "command"   // coverage: a command is not below the one that proves it
	WhyPolicy    Why = "policy"    // coverage: the arguments do not satisfy a policy
	WhyArgs      Why = "args"      // coverage: the act is not the one the invocation names
)

// OfChain reports whether w means a broken chain, not a right that is too narrow.
func (w Why) OfChain() bool {
	switch w {
	case WhyCommand, WhyPolicy, WhyArgs:
		return false
	}
	return true
}

// Finding is one thing wrong. At is the CID of the token, or "" for the whole.
type Finding struct {
	Code Code
	Why  Why
	At   string
	Text string // a sentence for people, without anything secret
}

func (f Finding) String() string {
	var b strings.Builder
	b.WriteString(string(f.Code))
	if f.Why != "" {
		fmt.Fprintf(&b, " (%s)", f.Why)
	}
	if f.At != "" {
		fmt.Fprintf(&b, " at %s", f.At)
	}
	if f.Text != "" {
		b.WriteString(": " + f.Text)
	}
	return b.String()
}

// Findings is everything found wrong, in the order of the checks. It is an
// error; an empty one is never returned as such.
type Findings []Finding

// Error lists the findings.
func (f Findings) Error() string {
	texts := make([]string, len(f))
	for i := range f {
		texts[i] = f[i].String()
	}
	return strings.Join(texts, "; ")
}

// FindingsOf are the findings that an error is, none of another error.
func FindingsOf(err error) Findings {
	var f Findings
	errors.As(err, &f)
	return f
}

// First is the finding to show where only one can be.
func (f Findings) First() Finding {
	for _, c := range precedence {
		for _, one := range f {
			if one.Code == c {
				return one
			}
		}
	}
	return Finding{}
}

// Code is the code of First.
func (f Findings) Code() Code { return f.First().Code }

// Has reports whether c is among the findings.
func (f Findings) Has(c Code) bool {
	for _, one := range f {
		if one.Code == c {
			return true
		}
	}
	return false
}

// Missing lists the CIDs of the proofs that were not there.
func (f Findings) Missing() []string {
	var cids []string
	for _, one := range f {
		if one.Code == UnavailableProof {
			cids = append(cids, one.At)
		}
	}
	return cids
}

func (f *Findings) add(c Code, why Why, at, format string, args ...any) {
	*f = append(*f, Finding{Code: c, Why: why, At: at, Text: fmt.Sprintf(format, args...)})
}

func found(c Code, at, format string, args ...any) Findings {
	var f Findings
	f.add(c, "", at, format, args...)
	return f
}

// err is f as an error, nil when nothing was found.
func (f Findings) err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}
