package console

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

// news is what a live page shows.
type news struct {
	Entries int    `json:"entries"`
	Peers   int    `json:"peers"`
	Unread  int    `json:"unread"`
	Seq     uint64 `json:"seq"`
}

// connected is how many peers the node is connected with.
func (c *Console) connected() int { return c.Node.Status().Peers }

// newsNow is what a live page shows now.
func (c *Console) newsNow(v *visit) news {
	st := c.Node.Status()
	return news{Entries: st.Entries, Peers: st.Peers, Unread: c.unread(v), Seq: c.Service.Access.Seq()}
}

// follow keeps a page up to date, until the browser goes, the session ends, or the
// node stops. It is no use of the session: a page that is left open ends with it.
func (c *Console) follow(v *visit) (answer, error) {
	select {
	case c.live <- struct{}{}:
		defer func() { <-c.live }()
	default:
		return answer{}, reason.Refuse(reason.Overloaded, "too many pages are open").With(map[string]any{"retry_after": 5})
	}
	out := http.NewResponseController(v.w)
	v.w.Header().Set("Content-Type", "text/event-stream")
	v.w.WriteHeader(http.StatusOK)
	_ = out.SetReadDeadline(time.Time{}) // the connection's times are those of requests that end
	send := func(kind string, data any) error {
		raw, err := json.Marshal(data)
		if err != nil {
			return err
		}
		_ = out.SetWriteDeadline(time.Now().Add(liveWrite))
		if _, err := fmt.Fprintf(v.w, "event: %s\ndata: %s\n\n", kind, raw); err != nil {
			return err
		}
		return out.Flush()
	}
	last, sent := c.newsNow(v), time.Now()
	if send("news", last) != nil {
		return answer{sent: true}, nil
	}
	tick := time.NewTicker(liveEvery)
	defer tick.Stop()
	ends := time.NewTimer(v.session.Until.Sub(c.Now()))
	defer ends.Stop()
	for {
		select {
		case <-v.Context().Done():
			return answer{sent: true}, nil
		case <-v.session.Ended:
			_ = send("bye", map[string]string{"why": "ended"})
			return answer{sent: true}, nil
		case <-ends.C: // come again, if the session was used meanwhile
			return answer{sent: true}, nil
		case <-tick.C:
			now := c.newsNow(v)
			if now == last && time.Since(sent) < livePing {
				continue
			}
			last, sent = now, time.Now()
			if send("news", now) != nil {
				return answer{sent: true}, nil
			}
		}
	}
}
