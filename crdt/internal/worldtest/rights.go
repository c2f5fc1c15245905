package worldtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/role"
	"github.com/meshd/meshd/identity/ucan/v0"
	"github.com/meshd/meshd/identity/wallet"
)

// Consenter signs the line of a rotation.
type Consenter func(line string) binding.Consent

// ByKey consents with a key: the acting one, a controller or the recovery key.
func ByKey(k keys.Signer) Consenter {
	return func(line string) binding.Consent {
		sig := k.Sign([]byte(line))
		return binding.Consent{Alg: binding.AlgEd25519, Key: k.Key().String(), Sig: sig[:], Text: line}
	}
}

// ByWallet consents with a wallet's personal message.
func ByWallet(k *wallet.Key) Consenter {
	return func(line string) binding.Consent {
		sig := k.SignText(line)
		return binding.Consent{Alg: binding.AlgEIP191, Key: Account(k), Sig: sig[:], Text: line}
	}
}

// Account is the DID of a wallet, as controllers name it.
func Account(k *wallet.Key) string {
	return did.OfAccount(did.Account{Chain: 1, Address: k.Address()}).String()
}

// Wallet is a wallet of the world. Equal names are the same wallet.
func (w *World) Wallet(name string) *wallet.Key {
	k, err := wallet.KeyFromSecret(w.secret("wallet " + name))
	if err != nil {
		panic(fmt.Sprintf("make wallet: %v", err))
	}
	return k
}

// Key is a key of the world, the one that an agent of that name has.
func (w *World) Key(name string) *keys.Private { return keys.FromSeed(w.secret(name)) }

// RecoveryHash is what a genesis or rotation names as next for a recovery key.
func RecoveryHash(k did.Key) []byte {
	h := sha256.Sum256(k[:])
	return h[:]
}

// Rotate takes the agent over to the key of that name. Nil by is the acting key
// itself; v says everything but old and by. The author of the new key is returned
// with the rotation; a itself goes on as the old key, for what it writes later.
func (a *Author) Rotate(name string, by Consenter, v body.Rotate) (*Author, *change.Change) {
	return a.RotateKey(a.World.Key(name), by, v)
}

// RotateKey is Rotate to a key of the caller's.
func (a *Author) RotateKey(next *keys.Private, by Consenter, v body.Rotate) (*Author, *change.Change) {
	if by == nil {
		by = ByKey(a.Key)
	}
	v.Old = a.Key.Key()
	line, err := v.Line(a.World.Net, a.ID, next.Key())
	if err != nil {
		panic(fmt.Sprintf("line of a rotation: %v", err))
	}
	v.By = by(line)
	n := &Author{World: a.World, Name: a.Name, Key: next, ID: a.ID, chains: map[change.Chain]tip{}, rights: a.rights}
	n.Binding = n.Change(change.KindRotate, a.ID.Space(), encode(v), Options{Proof: []change.ID{a.Binding.ID}})
	return n, n.Binding
}

// OpenGuild founds a guild of a name, which also makes its salt. What a writes in
// its spaces from then on rests on it.
func (a *Author) OpenGuild(name, visibility string) *change.Change {
	v := body.GuildOpen{Name: name, Type: "dev", Visibility: visibility}
	salt := sha256.Sum256([]byte(name))
	copy(v.Salt[:], salt[:])
	id := change.DeriveGuild(a.World.Net, a.Key.Key(), v.Salt)
	space := change.TeamSpace(id)
	if visibility == body.Public {
		space = change.GuildSpace(id)
	}
	c := a.Change(change.KindGuildOpen, space, encode(v), Options{Proof: []change.ID{a.Binding.ID}})
	a.UseRight(c)
	return c
}

// UseRight makes a write in a guild by a right, a guild.open or a grant to one of its
// keys, instead of the right that it had there.
func (a *Author) UseRight(right *change.Change) {
	guild, ok := right.Head.Space.Guild()
	if !ok {
		panic("a right outside of guilds")
	}
	a.rights[guild] = right.ID
}

// Grants say what Grant gives. The zero Grants, with a role, last for ever.
type Grants struct {
	Role    string
	Caps    []v0.Cap // instead of the role's bundle
	Expires int64    // Unix seconds, 0 for never
	Parents []*change.Change
	Closes  *body.Closes
	Options Options // Deps get what Closes names; Proof follows from Parents
}

// Grant gives rights in space to the key aud: in a guild's by the right of a there,
// or by g.Parents instead.
func (a *Author) Grant(space change.Space, aud did.Key, g Grants) *change.Change {
	w := a.World
	caps := g.Caps
	if caps == nil {
		caps = RoleCaps(w.Net, space, g.Role)
	}
	o := g.Options
	if o.Proof == nil {
		o.Proof = a.proof(space)
		if g.Parents != nil {
			o.Proof = []change.ID{a.Binding.ID}
			for _, p := range g.Parents {
				o.Proof = append(o.Proof, p.ID)
			}
		}
	}
	if g.Closes != nil {
		o.Deps = append(o.Deps, g.Closes.Grant)
	}
	v := body.Grant{Token: w.Token(a.Key, aud, caps, g.Expires, o.Proof...), Role: g.Role, Closes: g.Closes}
	return a.Change(change.KindGrant, space, encode(v), o)
}

// Member grants a role to another agent, who has it from then on.
func (a *Author) Member(guild *change.Change, b *Author, name string) *change.Change {
	c := a.Grant(guild.Head.Space, b.Key.Key(), Grants{Role: name})
	b.UseRight(c)
	return c
}

// Device gives a key of that name rights to write as the agent: the abilities, or
// all of them. It returns the author who does.
func (a *Author) Device(name string, abilities ...string) (*Author, *change.Change) {
	if len(abilities) == 0 {
		abilities = []string{"*"}
	}
	space := a.ID.Space()
	var caps []v0.Cap
	for _, can := range abilities {
		caps = append(caps, v0.Cap{With: space.Resource(a.World.Net), Can: can, Caveats: []map[string]any{{}}})
	}
	d := &Author{World: a.World, Name: name, Key: a.World.Key(name), ID: a.ID, chains: map[change.Chain]tip{}, rights: a.rights}
	d.Binding = a.Grant(space, d.Key.Key(), Grants{Caps: caps})
	return d, d.Binding
}

// Revoke ends a grant but for what lies inside the cuts.
func (a *Author) Revoke(grant *change.Change, cuts body.Cuts) *change.Change {
	return a.Change(change.KindRevoke, grant.Head.Space, encode(body.Revoke{Grant: grant.ID, Cut: cuts}), Options{Deps: []change.ID{grant.ID}})
}

// Endorse says as of changes of a space: body.Readmit, Confirm or Approve.
func (a *Author) Endorse(space change.Space, as string, targets ...*change.Change) *change.Change {
	v := body.Endorse{As: as}
	for _, c := range targets {
		v.IDs = append(v.IDs, c.ID)
	}
	return a.Change(change.KindEndorse, space, encode(v), Options{})
}

// CutAt are the cuts that name these changes, at most one of each chain.
func CutAt(cs ...*change.Change) body.Cuts {
	out := body.Cuts{}
	for _, c := range cs {
		k := c.Head.Author
		if out[k] == nil {
			out[k] = body.Cut{}
		}
		out[k][body.ChainText(c.Head.Chain())] = c.ID
	}
	return out
}

// Cut is the cut at all that a has written so far.
func (a *Author) Cut() body.Cut {
	out := body.Cut{}
	for chain, end := range a.chains {
		out[body.ChainText(chain)] = end.id
	}
	return out
}

// RoleCaps is the bundle of a role for the guild that space belongs to.
func RoleCaps(net change.NetID, space change.Space, name string) []v0.Cap {
	guild, ok := space.Guild()
	if !ok {
		panic("a role outside of guilds")
	}
	var caps []v0.Cap
	for _, s := range []change.Space{change.GuildSpace(guild), change.TeamSpace(guild)} {
		for _, a := range role.Bundle(name) {
			caps = append(caps, v0.Cap{With: s.Resource(net), Can: a.Can, Caveats: a.Caveats})
		}
	}
	return caps
}

// Token is a token by k for aud that cites the tokens of those changes, made
// here, that are grants: all but the first in a guild, whose first is an identity.
func (w *World) Token(k keys.Signer, aud did.Key, caps []v0.Cap, expires int64, proof ...change.ID) string {
	d := v0.Draft{Audience: aud.String(), Caps: caps}
	if expires != 0 {
		d.Expires = &expires
	}
	inAgent := len(proof) == 1
	for i, id := range proof {
		c := w.made[id]
		if c == nil || c.Head.Kind != change.KindGrant || i == 0 && !inAgent {
			continue
		}
		v, err := body.ParseGrant(c.Body)
		if err != nil {
			panic(fmt.Sprintf("read grant: %v", err))
		}
		t, findings := v0.Parse(v.Token)
		if t == nil {
			panic(fmt.Sprintf("read token: %v", findings))
		}
		d.Proofs = append(d.Proofs, t.CID())
	}
	w.nonces++
	seed := sha256.Sum256(binary.BigEndian.AppendUint64(w.seedBytes("nonce "), w.nonces))
	raw, err := v0.Build(d, k, bytes.NewReader(seed[:]))
	if err != nil {
		panic(fmt.Sprintf("build token: %v", err))
	}
	return raw
}

func encode(v interface{ Encode() ([]byte, error) }) []byte {
	b, err := v.Encode()
	if err != nil {
		panic(fmt.Sprintf("encode body: %v", err))
	}
	return b
}
