package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/ipfs/boxo/bitswap"
	"github.com/ipfs/boxo/bitswap/network/bsnet"
	"github.com/ipfs/boxo/blockservice"
	"github.com/ipfs/boxo/blockstore"
	"github.com/ipfs/boxo/ipld/merkledag"
	"github.com/ipfs/go-datastore"
	"github.com/ipfs/go-datastore/query"
	crdt "github.com/ipfs/go-ds-crdt"
	crdtpb "github.com/ipfs/go-ds-crdt/pb"
	pebbleds "github.com/ipfs/go-ds-pebble"
	"github.com/libp2p/go-libp2p"
	pubsub "github.com/libp2p/go-libp2p-pubsub"
	"github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/p2p/transport/tcp"
	"google.golang.org/protobuf/proto"
)

// topicName is the GossipSub topic on which heads are announced.
const topicName = "peer-bench"

// node is one replica with everything it needs. Its methods are for one
// goroutine at a time, except for crdt, which is the library's own.
type node struct {
	crdt    *crdt.Datastore
	host    host.Host
	traffic *traffic
	mesh    *meshWatch
	tally   *tally

	store  *pebbleds.Datastore
	blocks blockservice.BlockService
	heads  *crdt.PubSubBroadcaster
	cancel context.CancelFunc // ends GossipSub, Bitswap and the topic
}

// newNode starts an empty node that stores below dir and expects to get want
// keys in the end. The caller closes it.
func newNode(dir string, want int) (n *node, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	n = &node{traffic: newTraffic(), mesh: newMeshWatch(), tally: newTally(want), cancel: cancel}
	defer func() {
		if err != nil {
			err = errors.Join(err, n.close())
		}
	}()

	if n.store, err = pebbleds.NewDatastore(dir); err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	if n.host, err = newHost(n.traffic); err != nil {
		return nil, fmt.Errorf("open host: %w", err)
	}
	gossip, err := pubsub.NewGossipSub(ctx, n.host, pubsub.WithEventTracer(n.mesh))
	if err != nil {
		return nil, fmt.Errorf("start gossip: %w", err)
	}
	if n.heads, err = crdt.NewPubSubBroadcaster(ctx, gossip, topicName); err != nil {
		return nil, fmt.Errorf("join topic: %w", err)
	}

	cached, err := blockstore.CachedBlockstore(ctx,
		blockstore.NewIdStore(blockstore.NewBlockstore(n.store)), blockstore.DefaultCacheOpts())
	if err != nil {
		return nil, fmt.Errorf("open block store: %w", err)
	}
	// Without a router, blocks are asked of the connected peers alone.
	exchange := bitswap.New(ctx, bsnet.NewFromIpfsHost(n.host), nil, cached)
	n.blocks = blockservice.New(cached, exchange)

	opts := crdt.DefaultOptions()
	opts.RebroadcastInterval = rebroadcastEvery
	opts.PutHook = func(k datastore.Key, _ []byte) { n.tally.add(k) }
	n.crdt, err = crdt.New(n.store, datastore.NewKey("crdt"), merkledag.NewDAGService(n.blocks), n.heads, opts)
	if err != nil {
		return nil, fmt.Errorf("open replica: %w", err)
	}
	return n, nil
}

// newHost listens on a free TCP port of 127.0.0.1 and on nothing else.
func newHost(t *traffic) (host.Host, error) {
	return libp2p.New(
		libp2p.ListenAddrStrings("/ip4/127.0.0.1/tcp/0"),
		libp2p.Transport(tcp.NewTCPTransport),
		libp2p.BandwidthReporter(t),
		libp2p.DisableRelay(),
		libp2p.DisableMetrics(),
		libp2p.DisableIdentifyAddressDiscovery(),
		libp2p.ForceReachabilityPrivate(), // do not ask others how we look from outside
	)
}

// connect opens a connection to each of the others.
func (n *node) connect(ctx context.Context, others []*node) error {
	for _, o := range others {
		err := n.host.Connect(ctx, peer.AddrInfo{ID: o.host.ID(), Addrs: o.host.Addrs()})
		if err != nil {
			return fmt.Errorf("connect nodes: %w", err)
		}
	}
	return nil
}

// announce sends the current heads to the topic, as the library does by itself
// when its rebroadcast timer fires.
func (n *node) announce(ctx context.Context) error {
	var msg crdtpb.CRDTBroadcast
	for _, c := range n.crdt.InternalStats(ctx).Heads {
		msg.Heads = append(msg.Heads, &crdtpb.Head{Cid: c.Bytes()})
	}
	data, err := proto.Marshal(&msg)
	if err != nil {
		return fmt.Errorf("announce heads: %w", err)
	}
	if err := n.heads.Broadcast(ctx, data); err != nil {
		return fmt.Errorf("announce heads: %w", err)
	}
	return nil
}

// awaitAll returns when the node has all keys it expects on disk. The error
// says how far it got when ctx ended first.
func (n *node) awaitAll(ctx context.Context) error {
	select {
	case <-n.tally.full:
	case <-ctx.Done():
		seen, want := n.tally.count()
		return fmt.Errorf("hold %d of %d keys: %w", seen, want, ctx.Err())
	}
	// The hook counts a key while the store's batch around it is still open.
	// Batches are merged one after another, so when the key counted last can
	// be read, all can. The commit takes well under a millisecond.
	for last := n.tally.lastKey(); ; {
		ok, err := n.crdt.Has(ctx, last)
		if err != nil {
			return fmt.Errorf("look up %s: %w", last, err)
		}
		if ok {
			break
		}
		if ctx.Err() != nil {
			return fmt.Errorf("look up %s: %w", last, ctx.Err())
		}
	}
	if err := n.crdt.Sync(ctx, datastore.NewKey("/")); err != nil {
		return fmt.Errorf("sync store: %w", err)
	}
	return nil
}

// verify reads the whole replica and fails unless it is exactly the entries
// 0 to want-1 with their values.
func (n *node) verify(ctx context.Context, want int) error {
	found, err := n.crdt.Query(ctx, query.Query{KeysOnly: true})
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	keys, err := found.Rest()
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	if len(keys) != want {
		return fmt.Errorf("verify: found %d of %d keys", len(keys), want)
	}
	for i := range want {
		got, err := n.crdt.Get(ctx, key(i))
		if err != nil {
			return fmt.Errorf("verify %s: %w", key(i), err)
		}
		if !bytes.Equal(got, value(i)) {
			return fmt.Errorf("verify %s: found another value", key(i))
		}
	}
	return nil
}

// close stops what newNode has started, also of a node it gave up half-way.
func (n *node) close() error {
	var errs []error
	n.cancel() // the library wants the topic gone before the replica
	if n.crdt != nil {
		errs = append(errs, n.crdt.Close())
	}
	if n.blocks != nil {
		errs = append(errs, n.blocks.Close())
	}
	if n.host != nil {
		errs = append(errs, n.host.Close())
	}
	if n.store != nil {
		errs = append(errs, n.store.Close())
	}
	return errors.Join(errs...)
}

// tally counts the keys a replica reports as added.
type tally struct {
	full chan struct{} // closed when want keys have been counted
	want int

	mu   sync.Mutex // guards seen and last
	seen int
	last datastore.Key
}

func newTally(want int) *tally { return &tally{full: make(chan struct{}), want: want} }

// add counts one key. Every key is written once, so the library reports it once.
func (t *tally) add(k datastore.Key) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen++
	t.last = k
	if t.seen == t.want {
		close(t.full)
	}
}

// lastKey returns the key counted last.
func (t *tally) lastKey() datastore.Key {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}

// count returns how many keys were counted, and how many are expected.
func (t *tally) count() (seen, want int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.seen, t.want
}
