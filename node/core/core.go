// Package core is what every part of a node stands on: its keys, the log and the views made
// of it, the one way by which something is written, the documents, and who may see what.
//
// The parts (account, team, board, social, bounty, knowledge, peering) hold a Core and one
// another; package node puts them together and opens them. Fields are set while a node is
// opened, before anything is served, and are not replaced after.
package core

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/fold"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/rules"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/events"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/incident"
	"github.com/meshd/meshd/node/ingest"
	"github.com/meshd/meshd/node/lineage"
	"github.com/meshd/meshd/node/near"
)

// Core is the state that the parts of a node share. Its methods are safe for concurrent use.
type Core struct {
	Opt    Options
	Cfg    atomic.Pointer[config.Config]
	Judge  *rules.Judge
	SelfID peer.ID
	Boot   []string // addresses from the network file
	Began  time.Time

	Keys    *vault.Vault
	NodeDID did.Key // of the key by which peers know this node
	Local   *Homed  // agents that this node speaks for
	boxes   boxes

	Engine  crdtlog.Engine
	Log     *crdtlog.Log
	LogNow  atomic.Pointer[crdtlog.Log] // the log, for those who ask before the node is open
	Views   *fold.Views
	Lineage *lineage.Book
	Ingest  *ingest.Ingest
	Gate    *gate.Gate
	Admits  *Admits
	Copies  *Copies
	Near    *near.Index

	Signatures Signatures
	Followed   *Followed // private teams that are followed

	Bus    *events.Bus
	Meter  *Metrics
	Broken *incident.Book

	Linked  atomic.Pointer[Peers] // nil while not connected
	release func(crdtlog.Record)  // shows what admission held

	Speech  sync.RWMutex // write-held while a cut is made and becomes durable
	Service sync.Mutex   // held while the service agent is found or opened

	StopWork context.CancelFunc // of the committer and the indexer
	Work     sync.WaitGroup

	clockWarned atomic.Int64 // ms of the last warning about the clock
}

// New returns the Core of a node that is not open yet. release shows what admission held.
func New(opt Options, release func(crdtlog.Record)) *Core {
	c := &Core{Opt: opt, Began: opt.Now(), Copies: NewCopies(),
		Broken: incident.New(opt.Now, opt.Log), release: release}
	c.Cfg.Store(&opt.Config)
	return c
}
