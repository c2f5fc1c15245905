package invite

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/p2p/internal/frame"
)

// Protocol is the libp2p protocol by which an invitation is shown to who made it.
const Protocol protocol.ID = "/mesh/meet/1"

// Request is what a newcomer says. Who asks is known by the connection.
type Request struct {
	ID     ID
	Net    change.NetID
	Label  string  // by which the machine calls itself
	Device did.Key // of an invitation for a device: the key that shall write; else zero
}

// Reply is what the inviting node answers when it takes the newcomer up.
type Reply struct {
	Agent   change.AgentID // of the owner of that node
	Name    string         // of that agent
	Pending bool           // its owner has to approve the device first
}

// Greeter decides about newcomers. It is called by several goroutines.
type Greeter interface {
	// Greet counts a newcomer in, or refuses: invite_invalid, invite_expired,
	// invite_used, foreign_network, forbidden.
	Greet(ctx context.Context, from peer.ID, r Request) (Reply, error)
}

// Service shows invitations to peers and answers those who show one. It is safe for
// concurrent use.
type Service struct {
	host    host.Host
	greeter Greeter
	log     *slog.Logger

	open atomic.Int32 // requests that are answered now
	work sync.WaitGroup
}

// New makes a Service. It answers nobody before Serve.
func New(h host.Host, g Greeter, log *slog.Logger) *Service {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Service{host: h, greeter: g, log: log}
}

// Serve answers peers until ctx is done.
func (s *Service) Serve(ctx context.Context) error {
	var mu sync.Mutex
	ended := false
	s.host.SetStreamHandler(Protocol, func(st network.Stream) {
		mu.Lock()
		if ended || s.open.Load() >= maxAtOnce {
			mu.Unlock()
			_ = st.Reset()
			return
		}
		s.open.Add(1)
		s.work.Add(1)
		mu.Unlock()
		defer func() { s.open.Add(-1); s.work.Done() }()
		ctx, cancel := context.WithTimeout(ctx, exchangeTime)
		defer cancel()
		if err := s.answer(ctx, st); err != nil {
			s.log.Debug("invitation not answered", "peer", st.Conn().RemotePeer(), "err", err)
			_ = st.Reset()
			return
		}
		_ = st.Close()
	})
	<-ctx.Done()
	s.host.RemoveStreamHandler(Protocol)
	mu.Lock()
	ended = true
	mu.Unlock()
	s.work.Wait()
	return ctx.Err()
}

func (s *Service) answer(ctx context.Context, st network.Stream) error {
	defer bound(ctx, st)()
	raw, err := frame.Read(st, maxExchange)
	if err != nil {
		return err
	}
	r, err := readRequest(raw)
	if err != nil {
		return err
	}
	a, err := s.greeter.Greet(ctx, st.Conn().RemotePeer(), r)
	enc, err := encodeReply(a, err)
	if err != nil {
		return err
	}
	return frame.Write(st, enc, maxExchange)
}

// Show shows an invitation to the node that made it, which is connected. The error is
// its refusal, in our words, or peer_unreachable.
func (s *Service) Show(ctx context.Context, to peer.ID, r Request) (Reply, error) {
	ctx, cancel := context.WithTimeout(ctx, exchangeTime)
	defer cancel()
	raw, err := r.encode()
	if err != nil {
		return Reply{}, err
	}
	st, err := s.host.NewStream(network.WithAllowLimitedConn(network.WithNoDial(ctx, "meet"), "meet"), to, Protocol)
	if err != nil {
		return Reply{}, reason.Refuse(reason.PeerUnreachable, "the node that has made the invitation takes none: %v", err)
	}
	defer bound(ctx, st)()
	enc, err := exchange(st, raw)
	if err != nil {
		_ = st.Reset()
		return Reply{}, reason.Refuse(reason.PeerUnreachable, "the node that has made the invitation does not answer: %v", err)
	}
	_ = st.Close()
	return readReply(enc)
}

func exchange(st network.Stream, raw []byte) ([]byte, error) {
	if err := frame.Write(st, raw, maxExchange); err != nil {
		return nil, err
	}
	if err := st.CloseWrite(); err != nil {
		return nil, fmt.Errorf("end the request: %w", err)
	}
	return frame.Read(st, maxExchange)
}

// bound ends a stream with a context. The function it returns must be called.
func bound(ctx context.Context, st network.Stream) func() {
	if at, ok := ctx.Deadline(); ok {
		_ = st.SetDeadline(at)
	}
	stop := context.AfterFunc(ctx, func() { _ = st.Reset() })
	return func() { stop() }
}

func (r Request) encode() ([]byte, error) {
	m := cbor.Map{"id": r.ID[:], "label": r.Label, "net": r.Net[:]}
	if r.Device != (did.Key{}) {
		m["device"] = r.Device[:]
	}
	return cbor.Encode(m)
}

var errRequest = errors.New("not a request to meet")

func readRequest(b []byte) (r Request, err error) {
	m, err := cbor.DecodeMap(b)
	if err != nil {
		return r, errRequest
	}
	id, _ := m["id"].([]byte)
	net, _ := m["net"].([]byte)
	label, isText := m["label"].(string)
	if len(id) != len(r.ID) || len(net) != len(r.Net) || !isText || utf8.RuneCountInString(label) > MaxMachine {
		return r, errRequest
	}
	copy(r.ID[:], id)
	copy(r.Net[:], net)
	r.Label = label
	known := 3
	if d, there := m["device"]; there {
		known++
		raw, _ := d.([]byte)
		if r.Device, err = did.KeyFromBytes(raw); err != nil || r.Device.Check() != nil {
			return Request{}, errRequest
		}
	}
	if len(m) != known {
		return Request{}, errRequest
	}
	return r, nil
}

// encodeReply is what goes back; what is no refusal keeps its text to itself.
func encodeReply(a Reply, err error) ([]byte, error) {
	if err == nil {
		return cbor.Encode(cbor.Map{"agent": a.Agent[:], "name": a.Name, "pending": a.Pending})
	}
	code := reason.Internal
	var refused *reason.Refusal
	if errors.As(err, &refused) {
		code = refused.Code
	}
	return cbor.Encode(cbor.Map{"code": string(code)})
}

var errReply = errors.New("not an answer to an invitation")

func readReply(b []byte) (a Reply, err error) {
	m, err := cbor.DecodeMap(b)
	if err != nil {
		return a, errReply
	}
	if code, there := m["code"]; there {
		text, _ := code.(string)
		info, known := reason.Lookup(reason.Code(text))
		if !known || len(m) != 1 {
			return a, errReply
		}
		// A peer's words would be read by an agent as ours.
		return a, reason.Refuse(info.Code, "the node that has made the invitation: %s", info.Meaning)
	}
	agent, _ := m["agent"].([]byte)
	name, isText := m["name"].(string)
	pending, isBool := m["pending"].(bool)
	if len(agent) != len(a.Agent) || !isText || utf8.RuneCountInString(name) > MaxMachine || !isBool || len(m) != 3 {
		return a, errReply
	}
	copy(a.Agent[:], agent)
	a.Name, a.Pending = name, pending
	return a, nil
}
