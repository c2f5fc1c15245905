package running

import (
	"context"
	"encoding/json"
	"fmt"
	"github.com/meshd/meshd/node/health"
	"net/http"
	"time"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/gateway/plural"
)

// alive asks the running node.
func (d *doctor) alive(ctx context.Context, way *session.Client) {
	ctx, cancel := context.WithTimeout(ctx, doctorTime)
	defer cancel()
	var s health.Status
	var p struct{ Peers []health.PeerStatus }
	for path, into := range map[string]any{"/control/status": &s, "/control/peers": &p} {
		data, _, err := way.Do(ctx, http.MethodGet, path, nil, nil, nil)
		if err == nil {
			err = json.Unmarshal(data, into)
		}
		if err != nil {
			d.found("node", fail, fmt.Sprintf("the running node does not answer: %v", err), "look at its log; stop and start it")
			return
		}
	}
	headroom := uint64(0)
	if s.Disk != nil {
		headroom = s.Disk.Headroom
	}
	d.disk(headroom)
	d.openFiles(s.Files)
	d.found("lock", pass, "the running node has the home", "")
	d.found("vault", pass, "open in the running node", "")
	if s.Damaged > 0 {
		d.found("store", fail, fmt.Sprintf("%d changes or parts are damaged; the rest is served", s.Damaged), "meshd verify --deep names them, meshd repair mends what peers have")
	} else if s.ReadOnly {
		d.found("store", fail, "takes no writes", "make room on the disk")
	} else {
		d.found("store", pass, plural.Count(s.Agents, "agent")+", "+plural.Count(s.Entries, "entry"), "")
	}
	d.chains(s)
	d.readiness(ctx, way)
	d.clock(s)
	d.peers(s, p.Peers)
	d.lag(s)
}

// chains looks at what this node has signed: whether more of it may lie elsewhere,
// and whether it was signed twice.
func (d *doctor) chains(s health.Status) {
	switch {
	case len(s.OwnForks) > 0:
		d.found("chains", fail, "forked by two that signed with one key: "+forkedText(s.OwnForks[:1]), rotateNext(s.OwnForks))
	case s.Unsure != nil && len(s.Unsure.Waiting) == 0:
		d.found("chains", warn, fmt.Sprintf("this home %s; nothing is signed in %s until the node of another member was compared with", s.Unsure.Text, s.Unsure.Teams[0]),
			"connect such a node; when there is none, meshd id rotate")
	case s.Unsure != nil:
		d.found("chains", warn, fmt.Sprintf("this home %s; nothing is signed until a peer that knows %s was compared with", s.Unsure.Text, s.Unsure.Waiting[0]),
			"connect such a peer (network.bootstrap); when there is none, stop the node and meshd run --alone")
	default:
		d.found("chains", pass, "nobody else signs with the keys of this node", "")
	}
}

func (d *doctor) clock(s health.Status) {
	ahead := time.Duration(s.ClockSkew * float64(time.Second))
	switch {
	case s.LastSync == "":
		d.found("clock", skip, "no peer to compare with", "")
	case -ahead > 5*time.Minute:
		d.found("clock", fail, fmt.Sprintf("this clock is %s ahead of the peers': they show late what is signed now, and the key cannot go on from there once the clock is right", (-ahead).Round(time.Second)),
			"set the clock of this machine (NTP); when writes are then refused as clock_ahead, meshd id rotate")
	case ahead.Abs() > d.cfg.Admission.ClockAhead:
		d.found("clock", fail, fmt.Sprintf("peers are %s ahead of this clock", ahead.Round(time.Second)), "set the clock of this machine (NTP)")
	case ahead.Abs() > time.Minute:
		d.found("clock", warn, fmt.Sprintf("peers are %s ahead of this clock", ahead.Round(time.Second)), "set the clock of this machine (NTP)")
	default:
		d.found("clock", pass, "agrees with the peers", "")
	}
}

func (d *doctor) peers(s health.Status, peers []health.PeerStatus) {
	known, reached := 0, 0
	for _, p := range peers {
		if p.Bootstrap {
			known++
			if p.Connected {
				reached++
			}
		}
	}
	switch {
	case known == 0:
		d.found("bootstrap", skip, "none is configured; "+plural.Count(s.Peers, "peer"), "")
	case reached == 0:
		d.found("bootstrap", fail, fmt.Sprintf("none of %d answers", known), "check the addresses in network.bootstrap, and the network: meshd peers ping ADDRESS")
	case reached < known:
		d.found("bootstrap", warn, fmt.Sprintf("%d of %d answer", reached, known), "remove addresses that are gone")
	default:
		d.found("bootstrap", pass, fmt.Sprintf("all %d answer", known), "")
	}
	if s.Crowd != nil {
		d.found("neighbours", warn, s.Crowd.String(), "name peers of other networks in network.bootstrap; meshd block add peer ID refuses one")
	} else {
		d.found("neighbours", pass, "the peers do not all come from one network", "")
	}
	switch {
	case d.cfg.P2P.Loopback:
		d.found("nat", skip, "loopback only", "")
	case len(s.Listen) == 0:
		d.found("nat", fail, "the node listens nowhere", "look at p2p.listen")
	default:
		d.found("nat", pass, plural.Count(len(s.Listen), "address"), "")
	}
}

func (d *doctor) lag(s health.Status) {
	if s.IndexLag > 20_000 {
		d.found("index", warn, plural.Count(s.IndexLag, "change")+" behind the log", "wait, or meshd reindex")
	} else {
		d.found("index", pass, plural.Count(s.IndexLag, "change")+" behind the log", "")
	}
	at, err := time.Parse(time.RFC3339, s.LastSync)
	switch age := time.Since(at); {
	case s.Peers == 0 && err != nil:
		d.found("sync", warn, "no peer was met since the node started: nobody else has what is written here", aloneNext+"; meshd peers add ADDRESS")
	case s.Peers == 0:
		d.found("sync", warn, "no peer is connected; the last comparison was "+session.Ago(s.LastSync, time.Now()), "meshd peers lists those that are known; check the network")
	case err != nil:
		d.found("sync", warn, "no peer was compared with yet", "meshd sync --wait")
	case age > 10*d.cfg.P2P.SyncInterval:
		d.found("sync", warn, "the last comparison was "+session.Ago(s.LastSync, time.Now()), "meshd sync --wait; meshd peers shows why")
	default:
		d.found("sync", pass, "the last comparison was "+session.Ago(s.LastSync, time.Now()), "")
	}
}
