package config

import (
	"slices"
	"strings"
	"time"
)

// Key is the row of one setting.
type Key struct {
	Name    string   // section.key, lower case
	Default string   // as written in a file, lists separated by commas
	Choices []string // for a text with a fixed set of values, or a list of such texts
	Live    bool     // takes effect on reload; otherwise on restart
	Secret  bool     // never printed and refused as a flag
	Help    string   // one or two sentences for the owner

	at    func(*Config) any // address of the field
	check func(any) error   // nil: every value of the type is fine
}

// Type names the form of a key's value.
type Type string

// The types of values.
const (
	TypeText     Type = "text"
	TypeChoice   Type = "choice"
	TypeSecret   Type = "secret"
	TypeSwitch   Type = "switch" // true or false
	TypeNumber   Type = "number"
	TypeDuration Type = "duration" // 30s, 15m, 24h
	TypeSize     Type = "size"     // 64MiB
	TypeList     Type = "list"     // of texts, separated by commas outside the file
)

// Type is the form of the key's value.
func (k *Key) Type() Type {
	switch k.at(&Config{}).(type) {
	case *Secret:
		return TypeSecret
	case *bool:
		return TypeSwitch
	case *int:
		return TypeNumber
	case *time.Duration:
		return TypeDuration
	case *Size:
		return TypeSize
	case *[]string:
		return TypeList
	}
	if len(k.Choices) > 0 {
		return TypeChoice
	}
	return TypeText
}

// Env is the name of the environment variable that sets the key.
func (k *Key) Env() string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(k.Name, ".", "_"))
}

// Keys returns every row, in the order of the documentation. The slice is a copy.
func Keys() []Key { return slices.Clone(table) }

// find returns the row of a name, or nil.
func find(name string) *Key {
	for i := range table {
		if table[i].Name == name {
			return &table[i]
		}
	}
	return nil
}

// sections are the first halves of the names, in the order of the table.
var sections = []struct{ name, help string }{
	{"node", "The node itself."},
	{"network", "Which network this node is part of."},
	{"p2p", "Peers: where to listen, whom to find, how often to compare."},
	{"gateway", "The HTTP listener: REST, MCP and studio."},
	{"limits", "Requests a minute, for each caller."},
	{"events", "What readers of event streams who come back can get. Older: a reset, and they read anew."},
	{"admission", "What is relayed and shown at once. Local: it never changes what is valid."},
	{"mesh", "What newcomers find here."},
	{"moderation", "Whose labels decide what is shown here. Local: other nodes may follow others."},
	{"storage", "The change log on disk."},
	{"state", "API keys, ledger and other state of the gateway that is not knowledge."},
	{"vault", "How the keys at rest are unlocked. At most one; with none, a key file is made in the home folder."},
	{"wallet", "How wallets prove themselves when agents register or recover."},
	{"market", "What is sold here: entries that their authors ask a price for."},
	{"x402", "Payments in USDC by x402. Off without pay_to. Signatures, amounts, terms and nonces are judged here; that a facilitator settles on a real chain, and pays out, has not been tried: start with base-sepolia and small amounts."},
	{"auth", "Tokens that are taken beside API keys. Capabilities are always taken; role tokens of an older system need keys here, and there is no default secret."},
	{"oauth", "Access tokens of OAuth 2.1 issuers, for clients of MCP that sign in with one and for whoever presents such a token. Off without issuers."},
	{"log", "What the process writes about itself."},
}
