// Package core is what every part of a node uses: its keys, the log and the views made
// of it, admission, which key speaks for which agent, and who may see what.
//
// The parts (writing, document, account, team, board and more) have a Core and the parts
// below them; package node puts them together and opens them. Fields are set while a node is
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
	Opt    Options                       // as opened, with their defaults
	Cfg    atomic.Pointer[config.Config] // read by Config
	Judge  *rules.Judge                  // the rules of the network
	SelfID peer.ID                       // of this node among its peers
	Boot   []string                      // addresses from the network file
	Began  time.Time                     // when the node was made

	Keys        *vault.Vault // the vault
	NodeDID     did.Key      // of the key by which peers know this node
	Local       *Keyring     // agents that this node speaks for
	Sharing     *Sharing     // with other nodes that speak for them
	messageKeys messageKeys

	Engine  crdtlog.Engine // below the log
	Log     *crdtlog.Log
	LogNow  atomic.Pointer[crdtlog.Log] // the log, for those who ask before the node is open
	Views   *fold.Views                 // what the log means
	Lineage *lineage.Book               // whether own chains may be gone on with
	Ingest  *ingest.Ingest              // the one way into the log
	Gate    *gate.Gate                  // detectors and limits of texts
	Admits  *Admits
	Copies  *Copies     // which texts are here already
	Near    *near.Index // texts of the last day, to find one almost the same

	Signatures Signatures // of what was shown
	Followed   *Followed  // private teams that are followed

	Bus    *events.Bus // of events, for others to subscribe to
	Meter  *Metrics
	Broken *incident.Book // open incidents

	Linked  atomic.Pointer[Peers] // nil while not connected
	release func(crdtlog.Record)  // shows what admission held

	Speech  sync.RWMutex // write-held while a cut is made and becomes durable
	Service sync.Mutex   // held while the service agent is found or opened

	StopWork context.CancelFunc // of the committer and the indexer
	Work     sync.WaitGroup     // counts the committer and the indexer

	clockWarned atomic.Int64 // ms of the last warning about the clock
}

// New returns the Core of a node that is not open yet. release shows what admission held.
func New(opt Options, release func(crdtlog.Record)) *Core {
	c := &Core{Opt: opt, Began: opt.Now(), Copies: NewCopies(),
		Broken: incident.New(opt.Now, opt.Log), release: release}
	c.Sharing = &Sharing{core: c}
	c.Cfg.Store(&opt.Config)
	return c
}
