package view

import "github.com/meshd/meshd/identity/binding"

// Genesis is what a new agent is opened with.
type Genesis struct {
	KeyName     string // of the acting key in the vault
	Name        string
	Custody     string   // gateway or self
	Controllers []string // DIDs that outrank the acting key
	Proof       *binding.Proof
	Next        []byte // hash of the recovery key, 32 bytes, or nil
	Home        string // host the agent calls home, or ""
	// Sponsored asks this node's gateway to vouch for the agent, where the manifest of
	// the network lists it: its host there becomes the agent's home.
	Sponsored bool
}

// Submit steers one write. The zero Submit is a plain durable one.
type Submit struct {
	// IdempotencyKey names the request. The node marks it in the batch that
	// makes the change durable; the same key of the same agent then yields the
	// first receipt and writes nothing.
	IdempotencyKey string
	// WaitPeers is how many replicas to wait for, within a bounded time.
	WaitPeers int
}
