package attest

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/meshd/meshd/identity/attest/merkle"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
)

// Entry is what an entry of the log claims about itself. A zero optional field
// claims nothing.
type Entry struct {
	ID     string
	Author string
	At     int64 // position in the log, in ms since 1970

	Content []byte            // optional: a node may have the head only
	Digest  [sha256.Size]byte // of Content

	Key       did.Key // that signed
	Signed    []byte  // the bytes signed; the digest stands among them
	Signature []byte

	Cites []string // ids of entries this one builds on

	Receipt     []byte            // optional
	ReceiptHash [sha256.Size]byte // of Receipt; zero when it has none

	Inclusion *Inclusion // optional
}

// signed reports whether all is there that a signature takes.
func (e Entry) signed() bool {
	return len(e.Signature) > 0 && len(e.Signed) > 0 && !e.Key.IsZero()
}

// Inclusion claims that an entry's id is leaf Index of a log of Size leaves.
type Inclusion struct {
	Root        merkle.Hash
	Size, Index int64
	Proof       []merkle.Hash
}

// Answer is what a verifier may know of a question.
type Answer int

// The answers. The zero Answer is Unknown.
const (
	Unknown Answer = iota
	Yes
	No
)

// Lookups is what a verifier knows beside the entry. Each must answer from the
// log alone, for the position asked, so that two verifiers with the same log
// agree; what it does not know it says, instead of guessing.
type Lookups interface {
	// Entry returns an entry by its id.
	Entry(id string) (Entry, bool)
	// KeyValid says whether key was one of the author's at that position.
	KeyValid(author string, key did.Key, at int64) Answer
	// Authorised says whether the author might write the entry at that position.
	Authorised(e Entry) Answer
	// RootKnown says whether a root is that of a log the verifier follows.
	RootKnown(root merkle.Hash, size int64) Answer
}

// Verdict sums up what is known of an entry's history.
type Verdict string

// The verdicts. Fabricated takes a contradiction: a proof that is missing, an
// entry that is not here, a question nobody can answer make an entry
// Unverifiable and never more.
const (
	Valid        Verdict = "valid"
	Unverifiable Verdict = "unverifiable"
	Fabricated   Verdict = "fabricated"
)

// Check names one question about an entry.
type Check string

// The checks, in the order of their findings.
const (
	CheckDigest    Check = "digest"    // the content has the digest signed
	CheckSignature Check = "signature" // the key signed
	CheckKey       Check = "key"       // the key was the author's then
	CheckAuthority Check = "authority" // the author might do so then
	CheckCitations Check = "citations" // what it cites is there
	CheckAcyclic   Check = "acyclic"   // nothing cites itself, however far around
	CheckTimes     Check = "times"     // nothing cites what came later
	CheckReceipt   Check = "receipt"   // the receipt has the hash signed
	CheckInclusion Check = "inclusion" // the log has it where it says
)

// maxDetail is how many characters a finding's detail has at most.
const maxDetail = 200

// Finding is the outcome of one check.
type Finding struct {
	Check  Check
	Answer Answer // Yes confirms, No contradicts, Unknown is open
	Detail string // "" when it is confirmed
}

// Judge runs every check on an entry and returns the verdict with one finding
// for each, always all and in the same order: fabricated when one is
// contradicted, else unverifiable when one is open, else valid. A receipt or an
// inclusion proof that the entry does not claim to have leaves nothing open.
//
// It visits at most MaxCited entries on the way of citations; beyond that the
// citations are open. It is pure as far as its Lookups are.
func Judge(e Entry, known Lookups) (Verdict, []Finding) {
	j := judge{known: known}
	j.content(e)
	j.signature(e)
	key := Unknown
	if e.signed() { // else nobody claims that a key is the author's
		key = known.KeyValid(e.Author, e.Key, e.At)
	}
	j.answer(CheckKey, key, "the key was not the author's at that position", "nothing is known of the author's keys at that position")
	j.answer(CheckAuthority, known.Authorised(e), "the author had no right to it at that position", "nothing is known of the author's rights at that position")
	j.citations(e)
	j.receipt(e)
	j.inclusion(e)
	verdict := Valid
	for _, f := range j.findings {
		switch {
		case f.Answer == No:
			return Fabricated, j.findings
		case f.Answer == Unknown:
			verdict = Unverifiable
		}
	}
	return verdict, j.findings
}

type judge struct {
	known    Lookups
	findings []Finding
}

func (j *judge) find(c Check, a Answer, format string, args ...any) {
	detail := ""
	if a != Yes {
		detail = fmt.Sprintf(format, args...)
		if r := []rune(detail); len(r) > maxDetail {
			detail = string(r[:maxDetail-1]) + "…"
		}
	}
	j.findings = append(j.findings, Finding{c, a, detail})
}

func (j *judge) answer(c Check, a Answer, no, unknown string) {
	if a == No {
		j.find(c, No, "%s", no)
		return
	}
	if a != Yes {
		a = Unknown // an Answer that is none of the three claims nothing
	}
	j.find(c, a, "%s", unknown)
}

func (j *judge) content(e Entry) {
	switch sum := sha256.Sum256(e.Content); {
	case e.Content == nil:
		j.find(CheckDigest, Unknown, "the content is not here")
	case sum != e.Digest:
		j.find(CheckDigest, No, "the content has digest %x", sum)
	case len(e.Signed) == 0:
		j.find(CheckDigest, Unknown, "nothing that is signed holds the digest")
	case !bytes.Contains(e.Signed, e.Digest[:]):
		j.find(CheckDigest, No, "the digest is not among the bytes signed")
	default:
		j.find(CheckDigest, Yes, "")
	}
}

func (j *judge) signature(e Entry) {
	switch {
	case !e.signed():
		j.find(CheckSignature, Unknown, "there is no signature, or not what it signs, or not its key")
	case !keys.Verify(e.Key, e.Signed, e.Signature):
		j.find(CheckSignature, No, "the signature is not that of the key over these bytes")
	default:
		j.find(CheckSignature, Yes, "")
	}
}

func (j *judge) receipt(e Entry) {
	switch sum := sha256.Sum256(e.Receipt); {
	case e.ReceiptHash == [sha256.Size]byte{} && e.Receipt == nil:
		j.find(CheckReceipt, Yes, "")
	case e.ReceiptHash == [sha256.Size]byte{}:
		j.find(CheckReceipt, Unknown, "the hash of the receipt is not stated")
	case e.Receipt == nil:
		j.find(CheckReceipt, Unknown, "the receipt is not here")
	case sum != e.ReceiptHash:
		j.find(CheckReceipt, No, "the receipt has hash %x", sum)
	default:
		j.find(CheckReceipt, Yes, "")
	}
}

func (j *judge) inclusion(e Entry) {
	i := e.Inclusion
	if i == nil {
		j.find(CheckInclusion, Yes, "")
		return
	}
	if err := merkle.Check(i.Root, i.Size, i.Index, []byte(e.ID), i.Proof); err != nil {
		j.find(CheckInclusion, No, "%v", err)
		return
	}
	j.answer(CheckInclusion, j.known.RootKnown(i.Root, i.Size), "the log at that size has another root", "nothing is known of a log with that root")
}

// citations follows what the entry cites, nearest first and each entry once, and
// makes three findings of it.
func (j *judge) citations(e Entry) {
	w := walk{known: j.known, seen: map[string]*visit{}}
	w.from(e)
	switch {
	case w.full:
		j.find(CheckCitations, Unknown, "more than %d entries are cited", MaxCited)
	case len(w.missing) > 0:
		slices.Sort(w.missing)
		j.find(CheckCitations, Unknown, "%d cited entries are not here, %q among them", len(w.missing), w.missing[0])
	default:
		j.find(CheckCitations, Yes, "")
	}
	j.optional(CheckAcyclic, w.cycle)
	j.optional(CheckTimes, w.later)
}

// optional makes a finding of what contradicts a check, "" for nothing.
func (j *judge) optional(c Check, fault string) {
	if fault != "" {
		j.find(c, No, "%s", fault)
		return
	}
	j.find(c, Yes, "")
}

// walk is a depth-first search along citations, without recursion: its depth is
// a stranger's choice.
type walk struct {
	known   Lookups
	seen    map[string]*visit
	missing []string
	cycle   string
	later   string
	full    bool
}

// visit is an entry that the walk has met.
type visit struct {
	id    string
	at    int64
	cites []string // those not followed yet
	open  bool     // on the way from the start
	gone  bool     // not here
}

func (w *walk) from(start Entry) {
	first := &visit{id: start.ID, at: start.At, cites: start.Cites, open: true}
	w.seen[start.ID] = first
	for way := []*visit{first}; len(way) > 0; {
		top := way[len(way)-1]
		if len(top.cites) == 0 {
			top.open = false
			way = way[:len(way)-1]
			continue
		}
		id := top.cites[0]
		top.cites = top.cites[1:]
		cited, fresh := w.meet(id)
		if cited == nil || cited.gone {
			continue
		}
		if cited.open && w.cycle == "" {
			w.cycle = fmt.Sprintf("%q is cited by what it builds on", id)
		}
		if cited.at > top.at && w.later == "" {
			w.later = fmt.Sprintf("%q at %d cites %q of %d", top.id, top.at, id, cited.at)
		}
		if fresh {
			cited.open = true
			way = append(way, cited)
		}
	}
}

// meet returns the visit of an entry, a fresh one at the first time, or nil when
// there were too many.
func (w *walk) meet(id string) (_ *visit, fresh bool) {
	if v, ok := w.seen[id]; ok {
		return v, false
	}
	if len(w.seen) > MaxCited {
		w.full = true
		return nil, false
	}
	e, ok := w.known.Entry(id)
	v := &visit{id: id, at: e.At, cites: e.Cites, gone: !ok}
	w.seen[id] = v
	if !ok {
		w.missing = append(w.missing, id)
	}
	return v, true
}
