package body

import (
	"crypto/sha256"
	"slices"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
)

// Rotate is the body of rotate: the key that signs it takes an agent over from
// the key Old, with the consent of whoever By names (wire §7).
type Rotate struct {
	Old            did.Key
	Cut            Cut // how far Old is accepted
	By             binding.Consent
	Next           []byte   // H of the next recovery key, 32 bytes, or nil
	Controllers    []string // ctl: instead of those so far, when HasControllers
	HasControllers bool     // ctl is there; it may be empty
	PQ             []byte   // ML-DSA-65 public key of the new key, or nil
	Box            []byte   // X25519 key for sealed messages, 32 bytes, or nil

	later cbor.Map // keys of a later release: the consent covers them too
}

// The ranks of a consent (wire §7). A higher one overrules a lower one.
const (
	RankNone       = iota // nobody who may consent
	RankActing            // the key that is replaced
	RankController        // another key that the agent names
	RankRecovery          // the recovery key, once
	RankWallet            // a wallet that the agent names
)

// ParseRotate is the row of rotate as far as its bytes decide it: the consent
// has its form here and is verified against Line by rules.
func ParseRotate(b []byte) (Rotate, error) {
	r := parse(b)
	v := Rotate{
		Cut:  r.cut("cut"),
		Next: r.fixed("next", optional, sha256.Size),
		PQ:   r.fixed("pq", optional, keys.PQKeySize),
		Box:  r.fixed("box", optional, 32),
	}
	v.Old = r.key("old")
	r.sub("by", required, func(s *row) {
		v.By = binding.Consent{
			Alg: s.text("alg", required, 1, 16), Key: s.controller("key"),
			Sig: s.bytes("sig", required, 0, 128), Text: s.text("text", required, 1, MaxBindText),
		}
	})
	v.Controllers, v.HasControllers = r.controllers("ctl")
	if err := r.refusal(); err != nil {
		return v, err
	}
	for key, value := range r.m {
		switch key {
		case "old", "cut", "by", "next", "ctl", "pq", "box":
		default:
			if v.later == nil {
				v.later = cbor.Map{}
			}
			v.later[key] = value
		}
	}
	return v, nil
}

// Encode returns the canonical body. Empty fields are left out, but for ctl when
// HasControllers.
func (v Rotate) Encode() ([]byte, error) {
	m := v.consented()
	m["by"] = cbor.Map{"alg": v.By.Alg, "key": v.By.Key, "sig": v.By.Sig, "text": v.By.Text}
	return encode(m)
}

// consented is the body without by.
func (v Rotate) consented() cbor.Map {
	m := cbor.Map{"old": v.Old[:], "cut": v.Cut.value()}
	putBytes(m, "next", v.Next)
	putBytes(m, "pq", v.PQ)
	putBytes(m, "box", v.Box)
	if v.HasControllers {
		m["ctl"] = []any{}
	}
	putTexts(m, "ctl", v.Controllers)
	for key, value := range v.later {
		m[key] = value
	}
	return m
}

// Line is what By consents to: this rotation of the agent to the key next. It
// covers every field of the body but by, those of a later release too.
func (v Rotate) Line(net [16]byte, agent [32]byte, next did.Key) (string, error) {
	b, err := encode(v.consented())
	if err != nil {
		return "", err
	}
	return binding.RotationLine(net, agent, v.Old, next, b), nil
}

// Rank is the rank of the one who consents, given the agent's controllers and
// the hash of its recovery key, nil when it has none. It does not verify the
// consent.
func (v Rotate) Rank(controllers []string, next []byte) int {
	by, err := did.ParseController(v.By.Key)
	if err != nil {
		return RankNone
	}
	named := slices.Contains(controllers, v.By.Key)
	key, isKey := by.Key()
	if !isKey {
		if named {
			return RankWallet
		}
		return RankNone
	}
	switch sum := sha256.Sum256(key[:]); {
	case slices.Equal(sum[:], next):
		return RankRecovery
	case named:
		return RankController
	case key == v.Old:
		return RankActing
	}
	return RankNone
}

// HighestRank is the highest rank that can consent to a rotation of an agent
// with these controllers and this hash of a recovery key.
func HighestRank(controllers []string, next []byte) int {
	rank := RankActing
	for _, text := range controllers {
		d, err := did.ParseController(text)
		if err != nil {
			continue
		}
		if _, isKey := d.Key(); isKey {
			rank = max(rank, RankController)
		} else {
			return RankWallet
		}
	}
	if len(next) > 0 {
		rank = max(rank, RankRecovery)
	}
	return rank
}
