// Package join carries an agent's request to join a guild to the home of the guild,
// where an owner's key can write the grant. The grant itself
// comes back as every change does, by reconciliation; the answer only names it.
//
// The protocol is one request and one answer on a separate stream. A request is
// signed by the agent's acting key and made out to one peer, so that a peer can
// neither make one up nor pass one on. The requester does not know which peer is the
// home, so it asks the peers it is connected to; one that is not the home says so.
package join

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/keys"
	p2phost "github.com/meshd/meshd/p2p/host"
	"github.com/meshd/meshd/p2p/internal/frame"
)

// Protocol is the libp2p protocol of a request's stream.
const Protocol protocol.ID = "/mesh/join/1"

// Admitter decides about requests. It is called by several goroutines.
type Admitter interface {
	// Admit takes an agent into a guild whose home this node is and returns the grant
	// by which it is a member. The request's signature, network, address and time
	// are as they should be; whether its key speaks for the agent is Admit's to ask.
	// A guild that is not hosted here is team_not_found.
	Admit(ctx context.Context, r Request) (grant change.ID, role string, err error)
}

// Config sets a Service up.
type Config struct {
	Net change.NetID
	Now func() time.Time // nil: time.Now
	Log *slog.Logger     // nil: none

	// Refused is called with peers that send what no honest peer does; nil: nobody is.
	Refused func(peer.ID, reason.Code)
}

// Service asks peers and answers them. It is safe for concurrent use.
type Service struct {
	host     host.Host
	admitter Admitter
	cfg      Config

	mu      sync.Mutex
	serving map[peer.ID]int
	open    int
	seen    map[[16]byte]asked // nonces of requests that are still valid
	ctx     context.Context    // of Serve
	work    sync.WaitGroup
}

// asked is a request that was answered.
type asked struct {
	by    peer.ID
	until time.Time // it is not valid any more
}

// New makes a Service. It answers nobody before Serve.
func New(h host.Host, admitter Admitter, cfg Config) *Service {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Refused == nil {
		cfg.Refused = func(peer.ID, reason.Code) {}
	}
	return &Service{host: h, admitter: admitter, cfg: cfg, serving: map[peer.ID]int{}, seen: map[[16]byte]asked{}}
}

// Serve answers peers until ctx is done.
func (s *Service) Serve(ctx context.Context) error {
	s.mu.Lock()
	s.ctx = ctx
	s.mu.Unlock()
	s.host.SetStreamHandler(Protocol, s.accept)
	<-ctx.Done()
	s.host.RemoveStreamHandler(Protocol)
	s.mu.Lock()
	s.ctx = nil
	s.mu.Unlock()
	s.work.Wait()
	return ctx.Err()
}

func (s *Service) accept(st network.Stream) {
	p := st.Conn().RemotePeer()
	s.mu.Lock()
	ctx := s.ctx
	if ctx == nil || s.open >= maxServing || s.serving[p] >= perPeer {
		s.mu.Unlock()
		_ = st.Reset()
		return
	}
	s.open++
	s.serving[p]++
	s.work.Add(1)
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.open--
		if s.serving[p]--; s.serving[p] == 0 {
			delete(s.serving, p)
		}
		s.mu.Unlock()
		s.work.Done()
	}()
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	if err := s.answer(ctx, st); err != nil {
		s.cfg.Log.Debug("request to join not answered", "peer", p, "error", err)
		if errors.Is(err, frame.Err) || errors.Is(err, errRequest) {
			s.cfg.Refused(p, reason.BadEncoding)
		}
		_ = st.Reset()
		return
	}
	_ = st.Close()
}

func (s *Service) answer(ctx context.Context, st network.Stream) error {
	defer deadline(ctx, st)()
	raw, err := frame.Read(st, maxFrame)
	if err != nil {
		return err
	}
	r, err := open(raw)
	if err != nil {
		return err
	}
	a := reply{}
	if err := s.judge(&r, st.Conn().RemotePeer()); err != nil {
		a.code, a.text = refusal(err)
	} else if a.grant, a.role, err = s.admitter.Admit(ctx, r); err != nil {
		a.code, a.text = refusal(err)
	}
	enc, err := a.encode()
	if err != nil {
		return err
	}
	return frame.Write(st, enc, maxFrame)
}

// judge refuses a request that is not for this network, peer and time, or that
// was answered before. One peer has few that are still valid: a key to sign with costs
// nothing, and must not keep others out.
func (s *Service) judge(r *Request, by peer.ID) error {
	now := s.cfg.Now()
	at := time.UnixMilli(r.At)
	switch {
	case r.Net != s.cfg.Net:
		return reason.Refuse(reason.TeamNotFound, "the guild is of another network")
	case r.To != s.host.ID():
		return reason.Refuse(reason.SignatureInvalid, "the request is made out to another peer")
	case at.Before(now.Add(-maxSkew)) || at.After(now.Add(maxSkew)):
		return reason.Refuse(reason.SignatureInvalid, "the request is not of now")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	mine := 0
	for n, a := range s.seen {
		switch {
		case now.After(a.until):
			delete(s.seen, n)
		case a.by == by:
			mine++
		}
	}
	switch _, used := s.seen[r.Nonce]; {
	case used:
		return reason.Refuse(reason.TokenReplayed, "the request was answered before")
	case mine >= perPeerNonces:
		return reason.Refuse(reason.RateLimited, "too many requests to join by one peer")
	case len(s.seen) >= maxNonces:
		return reason.Refuse(reason.Overloaded, "too many requests to join")
	}
	s.seen[r.Nonce] = asked{by, now.Add(2 * maxSkew)}
	return nil
}

// refusal is the code and text of an error; what is no refusal keeps its text to
// itself.
func refusal(err error) (code, text string) {
	var r *reason.Refusal
	if errors.As(err, &r) {
		return string(r.Code), r.Text
	}
	return string(reason.Internal), "the peer could not answer"
}

// Answer is what the home of a guild said.
type Answer struct {
	Home  peer.ID
	Grant change.ID // by which the agent is a member; it comes by reconciliation
	Role  string
}

// Ask asks the connected peers that who admits, several at a time, until one has
// taken the agent in. Any peer can say that it has; shown is asked whether that is so, once the
// grant had the time to come. The error is a refusal by a peer, or team_not_found
// when none is the home. Net, Key, Nonce, At and To of r are filled in.
func (s *Service) Ask(ctx context.Context, signer keys.Signer, r Request, who func(peer.ID) bool, shown func(context.Context, Answer) bool) (Answer, error) {
	peers := slices.DeleteFunc(p2phost.Direct(s.host.Network()), func(p peer.ID) bool { return !who(p) })
	if len(peers) > maxPeers {
		peers = peers[:maxPeers]
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type outcome struct {
		a   Answer
		err error
	}
	results := make(chan outcome, len(peers))
	slots := make(chan struct{}, atOnce)
	for _, p := range peers {
		go func() {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				results <- outcome{err: ctx.Err()}
				return
			}
			a, err := s.ask(ctx, signer, p, r)
			<-slots // a peer whose grant never comes keeps nobody else from being asked
			if err == nil && !shown(ctx, a) {
				err = fmt.Errorf("peer %s names a grant that never came", p)
			}
			results <- outcome{a, err}
		}()
	}
	none := reason.Refuse(reason.TeamNotFound, "no connected peer is the home of that guild")
	var last error
	for range peers {
		o := <-results
		var refused *reason.Refusal
		switch {
		case o.err == nil:
			return o.a, nil
		case !errors.As(o.err, &refused), refused.Code == reason.TeamNotFound:
			s.cfg.Log.Debug("peer does not take into a guild", "error", o.err)
		default:
			// Any peer can refuse; only the home can accept, so the others go on.
			last = o.err
		}
	}
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	if last != nil {
		return Answer{}, last
	}
	return Answer{}, none
}

func (s *Service) ask(ctx context.Context, signer keys.Signer, p peer.ID, r Request) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	r.Net, r.Key, r.At, r.To = s.cfg.Net, signer.Key(), s.cfg.Now().UnixMilli(), p
	if _, err := io.ReadFull(rand.Reader, r.Nonce[:]); err != nil {
		return Answer{}, fmt.Errorf("make a nonce: %w", err)
	}
	raw, err := r.seal(signer)
	if err != nil {
		return Answer{}, err
	}
	st, err := s.host.NewStream(network.WithNoDial(ctx, "join"), p, Protocol)
	if err != nil {
		return Answer{}, fmt.Errorf("open a stream: %w", err)
	}
	defer deadline(ctx, st)()
	enc, err := exchange(st, raw)
	if err != nil {
		_ = st.Reset()
		return Answer{}, err
	}
	_ = st.Close()
	a, err := readReply(enc)
	if err != nil {
		return Answer{}, err
	}
	if a.code != "" {
		info, known := reason.Lookup(reason.Code(a.code))
		if !known {
			return Answer{}, errReply
		}
		// The words are those of whoever is connected, and whoever asks is an agent
		// that may do what it reads: it gets our own.
		s.cfg.Log.Debug("peer refuses to take into a guild", "peer", p, "code", a.code, "text", a.text)
		return Answer{}, reason.Refuse(info.Code, "the guild's home: %s", info.Meaning)
	}
	return Answer{Home: p, Grant: a.grant, Role: a.role}, nil
}

func exchange(st network.Stream, raw []byte) ([]byte, error) {
	if err := frame.Write(st, raw, maxFrame); err != nil {
		return nil, err
	}
	if err := st.CloseWrite(); err != nil {
		return nil, fmt.Errorf("end the request: %w", err)
	}
	return frame.Read(st, maxFrame)
}

// deadline bounds a stream by a context. The function it returns must be called.
func deadline(ctx context.Context, st network.Stream) func() {
	if at, ok := ctx.Deadline(); ok {
		_ = st.SetDeadline(at)
	}
	stop := context.AfterFunc(ctx, func() { _ = st.Reset() })
	return func() { stop() }
}
