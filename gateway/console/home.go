package console

import (
	"context"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/notice"
	"github.com/meshd/meshd/gateway/people"
	"github.com/meshd/meshd/node/health"
)

// homeView is the first page: your device, your peers, what is new.
type homeView struct {
	Node     health.Status
	Me       *people.AgentRecord // nil before the owner has an agent
	Peers    []health.PeerStatus // connected ones
	Known    int                 // peers that are known and not connected
	Entries  []knowledge.Entry
	Notices  []notice.Notice
	Loopback bool // this node speaks to this machine only
}

func (c *Console) home(v *visit) (answer, error) {
	ctx := v.Context()
	h := homeView{Node: c.Node.Status()}
	for _, p := range c.Node.Peers() {
		if p.Connected {
			h.Peers = append(h.Peers, p)
		} else {
			h.Known++
		}
	}
	h.Loopback = onlyLoopback(h.Node.Listen)
	if v.caller.AgentID != "" {
		me, err := c.Service.People.Agent(ctx, v.caller, v.caller.AgentID)
		if err != nil {
			return answer{}, err
		}
		h.Me = &me.Agent
		if h.Notices, err = c.newNotices(ctx, v.caller); err != nil {
			return answer{}, err
		}
	}
	var err error
	h.Entries, err = c.newEntries(ctx, v.caller)
	return draw("home", "", h), err
}

// newNotices are the newest notices that were not read.
func (c *Console) newNotices(ctx context.Context, who call.Caller) (out []notice.Notice, err error) {
	r := notice.NoticesForm.Defaults()
	r.Limit = newest
	list, err := c.Service.Notices.Notices(ctx, who, r)
	if err != nil {
		return nil, err
	}
	for _, n := range list.Notifications {
		if !n.Read {
			out = append(out, n)
		}
	}
	return out, nil
}

// newEntries are the newest entries.
func (c *Console) newEntries(ctx context.Context, who call.Caller) ([]knowledge.Entry, error) {
	r := knowledge.FeedForm.Defaults()
	r.Limit = newest
	feed, err := c.Service.Knowledge.Feed(ctx, who, r)
	if err != nil {
		return nil, err
	}
	return feed.Entries, nil
}

// unread is how many notices wait for whoever looks.
func (c *Console) unread(v *visit) int {
	who, ok := c.beside(v, noticesTwin)
	if !ok {
		return 0
	}
	r := notice.NoticesForm.Defaults()
	r.Limit = 1
	list, err := c.Service.Notices.Notices(v.Context(), who, r)
	if err != nil {
		return 0 // the page of the notices shows what is wrong
	}
	return list.Unread
}
