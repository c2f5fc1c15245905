package body

import (
	"github.com/meshd/meshd/crdt/cbor"
)

// Who may see a guild. The roles of one that is not public lie in its team.
const (
	Public   = "public"
	Internal = "internal"
	Private  = "private"
)

// guildTypes are what a guild may be for.
var guildTypes = []string{"bounty", "dev", "research", "social"}

// GuildOpen is the body of guild.open: its author's agent founds a guild and is
// the root of both of its spaces.
type GuildOpen struct {
	Name       string   // MinName…MaxName characters
	Salt       [16]byte // with the author's key it makes the id
	Type       string   // bounty, dev, research or social
	Visibility string   // Public, Internal or Private
}

// ParseGuildOpen is the row of guild.open as far as its bytes decide it.
func ParseGuildOpen(b []byte) (GuildOpen, error) {
	r := parse(b)
	v := GuildOpen{
		Name: r.text("name", required, MinName, MaxName), Type: r.word("type", required, guildTypes...),
		Visibility: r.word("visibility", required, Public, Internal, Private),
	}
	copy(v.Salt[:], r.fixed("salt", required, len(v.Salt)))
	return v, r.refusal()
}

// Encode returns the canonical body.
func (v GuildOpen) Encode() ([]byte, error) {
	return encode(cbor.Map{"name": v.Name, "salt": v.Salt[:], "type": v.Type, "visibility": v.Visibility})
}
