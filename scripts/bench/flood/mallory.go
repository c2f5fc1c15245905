package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	p2pnet "github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/gate/lessons"
	"github.com/meshd/meshd/p2p/host"
	"github.com/meshd/meshd/p2p/stranger"
	"github.com/meshd/meshd/scripts/bench/internal/process"
)

// spammer is the name of each of the stranger's agents.
const spammer = "Mallory"

// mallory is the stranger: one peer with many keys, whose entries are sound, of whole
// sentences, and signed.
type mallory struct {
	peer  *stranger.Peer
	end   context.CancelFunc
	wg    sync.WaitGroup
	met   atomic.Int64     // connections made with the gateway
	spam  []*change.Change // births and entries, made before
	began time.Time
	since time.Duration // processor time when it began
}

// newMallory signs the flood and meets the gateway.
func newMallory(ctx context.Context, n *process.Node, s settings) (*mallory, error) {
	id, err := network.ID()
	if err != nil {
		return nil, err
	}
	m := &mallory{}
	authors := make([]*stranger.Author, s.keys)
	for k := range max(s.keys, s.entries) {
		i := k % len(authors)
		if authors[i] == nil {
			authors[i] = stranger.NewAuthor(id, fmt.Sprint("mallory ", i))
			c, err := authors[i].Born(spammer, time.Now())
			if err != nil {
				return nil, err
			}
			m.spam = append(m.spam, c)
		}
		if k < s.entries {
			c, err := authors[i].Gotcha(lessons.Domains[k%len(lessons.Domains)], lessons.Text(1_000_000+k), time.Now(), true)
			if err != nil {
				return nil, err
			}
			m.spam = append(m.spam, c)
		}
	}
	var seed [32]byte
	if _, err := rand.Read(seed[:]); err != nil {
		return nil, err
	}
	m.peer, err = stranger.New(stranger.Config{
		Net: id, Shards: network.Shards, Gossip: true, Interval: 5 * time.Second, Now: time.Now,
		Host: host.Config{Seed: seed, Version: "stranger", Listen: []string{"/ip4/127.0.0.1/tcp/0"}, Loopback: true, Low: 8, High: 16},
	})
	if err != nil {
		return nil, err
	}
	ctx, m.end = context.WithCancel(ctx)
	m.wg.Go(func() { m.peer.Serve(ctx) })
	at, err := peer.AddrInfoFromString(n.Peer)
	if err == nil {
		err = m.peer.Host().Connect(ctx, *at)
	}
	if err != nil {
		m.stop()
		return nil, fmt.Errorf("meet the gateway: %w", err)
	}
	m.met.Add(1)
	m.wg.Go(func() { m.stay(ctx, *at) })
	m.began, m.since = time.Now(), processor()
	return m, nil
}

// redial is how often the stranger looks whether it is still connected, as a node does.
const redial = 5 * time.Second

// stay connects with the gateway again whenever the connection is lost.
func (m *mallory) stay(ctx context.Context, at peer.AddrInfo) {
	for wait(ctx, redial); ctx.Err() == nil; wait(ctx, redial) {
		if m.connected(at.ID) {
			continue
		}
		if err := m.peer.Host().Connect(ctx, at); err == nil {
			m.met.Add(1)
		}
	}
}

func (m *mallory) connected(gateway peer.ID) bool {
	return m.peer.Host().Network().Connectedness(gateway) == p2pnet.Connected
}

// flood says all of it, evenly, within a time.
func (m *mallory) flood(ctx context.Context, within time.Duration) {
	begin := time.Now()
	for i, c := range m.spam {
		if ahead := within*time.Duration(i)/time.Duration(len(m.spam)) - time.Since(begin); ahead > 5*time.Millisecond {
			wait(ctx, ahead)
		}
		m.peer.Say(ctx, c)
	}
}

// equals reports whether a node has the stranger's sets, with the honest changes that
// the stranger received.
func (m *mallory) equals(st nodeStatus) bool {
	same := 0
	for _, s := range st.Sets {
		if set := m.peer.Set(s.Name); set != nil {
			count, fp := set.FP()
			if count != s.Count || hex.EncodeToString(fp[:]) != s.FP {
				return false
			}
			same++
		}
	}
	return same == len(m.peer.Sets())
}

// explain says what a person needs to know when the sets of a node did not become
// equal: what each has, and whether they are still connected.
func (m *mallory) explain(st nodeStatus) string {
	text := fmt.Sprintf("sets differ; the stranger met the gateway %d times and has %d connections;", m.met.Load(), len(m.peer.Host().Network().Conns()))
	for _, s := range st.Sets {
		if set := m.peer.Set(s.Name); set != nil {
			count, _ := set.FP()
			text += fmt.Sprintf(" %s: %d at the gateway, %d here;", s.Name, s.Count, count)
		}
	}
	return text
}

func (m *mallory) stop() {
	m.end()
	m.wg.Wait()
	_ = m.peer.Close()
}
