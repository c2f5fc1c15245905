package change

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/meshd/meshd/identity/did"
)

// Space is where a change lives (wire §6): "net", "agent/<id>",
// "commons/<domain>", "guild/<id>" or "team/<id>". A Space made by ParseSpace
// is valid; the zero Space is not.
type Space string

// SpaceNet is the space of the network's own manifest.
const SpaceNet Space = "net"

// Area is the first word of a space.
type Area uint8

// The areas.
const (
	AreaNone Area = iota
	AreaNet
	AreaAgent
	AreaCommons
	AreaGuild
	AreaTeam
)

// ParseSpace checks the text of a space.
func ParseSpace(s string) (Space, error) {
	if len(s) > MaxSpace {
		return "", fmt.Errorf("space of %d bytes", len(s))
	}
	if sp := Space(s); sp.Area() != AreaNone {
		return sp, nil
	}
	return "", fmt.Errorf("not a space: %q", s)
}

// Area classifies s; AreaNone means that s is not valid.
func (s Space) Area() Area {
	if s == SpaceNet {
		return AreaNet
	}
	area, id, ok := strings.Cut(string(s), "/")
	if !ok || len(s) > MaxSpace {
		return AreaNone
	}
	switch area {
	case "commons":
		if ValidDomain(id) {
			return AreaCommons
		}
	case "agent", "guild", "team":
		if _, err := decodeBase32(id); err == nil {
			switch area {
			case "agent":
				return AreaAgent
			case "guild":
				return AreaGuild
			}
			return AreaTeam
		}
	}
	return AreaNone
}

// ValidDomain reports whether d is 1 to 64 of [a-z0-9:_-].
func ValidDomain(d string) bool {
	if len(d) == 0 || len(d) > 64 {
		return false
	}
	for _, c := range []byte(d) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != ':' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// Commons is the space of a domain, which must be valid.
func Commons(domain string) Space { return Space("commons/" + domain) }

// Domain is the domain of a commons space, else "".
func (s Space) Domain() string {
	d, _ := strings.CutPrefix(string(s), "commons/")
	if d == string(s) {
		return ""
	}
	return d
}

// AgentID names an agent: 32 bytes derived from the key that signed its genesis.
type AgentID [32]byte

// DeriveAgent is the id of the agent whose genesis key signs in network n.
func DeriveAgent(n NetID, key did.Key) AgentID {
	h := sha256.New()
	h.Write([]byte("mesh-agent-v1\x00"))
	h.Write(n[:])
	h.Write(key[:])
	return AgentID(h.Sum(nil))
}

// String is "agt_" + base32.
func (a AgentID) String() string { return PrefixAgent + Base32(a[:]) }

// Space is the agent's own space.
func (a AgentID) Space() Space { return Space("agent/" + Base32(a[:])) }

// IsZero reports whether a names no agent.
func (a AgentID) IsZero() bool { return a == AgentID{} }

// ParseAgentID reads the "agt_…" form.
func ParseAgentID(s string) (AgentID, error) {
	id, err := ParseID(PrefixAgent, s)
	return AgentID(id), err
}

// Agent is the agent whose space s is; ok is false elsewhere.
func (s Space) Agent() (id AgentID, ok bool) {
	rest, found := strings.CutPrefix(string(s), "agent/")
	if !found {
		return id, false
	}
	b, err := decodeBase32(rest)
	if err != nil {
		return id, false
	}
	return AgentID(b), true
}

// DeriveGuild is the id of the guild that key founds with salt in network n.
func DeriveGuild(n NetID, key did.Key, salt [16]byte) ID {
	h := sha256.New()
	h.Write([]byte("mesh-guild-v1\x00"))
	h.Write(n[:])
	h.Write(key[:])
	h.Write(salt[:])
	return ID(h.Sum(nil))
}

// GuildSpace is the public space of the guild of that id.
func GuildSpace(id ID) Space { return Space("guild/" + Base32(id[:])) }

// TeamSpace is the members' space of the guild of that id.
func TeamSpace(id ID) Space { return Space("team/" + Base32(id[:])) }

// Guild is the guild that s is the public or the members' space of; ok is false
// elsewhere.
func (s Space) Guild() (id ID, ok bool) {
	rest, found := strings.CutPrefix(string(s), "guild/")
	if !found {
		if rest, found = strings.CutPrefix(string(s), "team/"); !found {
			return id, false
		}
	}
	b, err := decodeBase32(rest)
	if err != nil {
		return id, false
	}
	return ID(b), true
}

// Resource is the URI by which capability tokens name s in network n.
func (s Space) Resource(n NetID) string { return "mesh://" + n.String() + "/" + string(s) }

// SetAuth is the set of control kinds of public spaces.
const SetAuth = "auth"

// PublicSets are the sets that every node of a network of so many shards follows, in
// the order of reconciliation.
func PublicSets(shards int) []string {
	sets := []string{SetAuth}
	for i := range shards {
		sets = append(sets, "open/"+strconv.Itoa(i))
	}
	return sets
}

// SetOf names the unit of reconciliation that a change of kind in s belongs
// to, in a network of the given number of shards: "auth", "open/<n>" or
// "team/<id>". An unknown kind is never a control kind.
func SetOf(s Space, kind string, shards int) string {
	switch {
	case s.Area() == AreaTeam:
		return string(s)
	case IsControl(kind):
		return SetAuth
	}
	h := sha256.Sum256([]byte(s))
	return "open/" + strconv.FormatUint(binary.BigEndian.Uint64(h[:8])%uint64(shards), 10)
}
