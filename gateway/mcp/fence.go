package mcp

import (
	"github.com/meshd/meshd/gateway/bounty"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/fence"
	"github.com/meshd/meshd/gateway/knowledge"
)

// passagesOf are the texts of entries that the caller may read. A placeholder is
// ours and needs no fence.
func passagesOf(entries ...knowledge.Entry) []fence.Passage {
	var out []fence.Passage
	for _, e := range entries {
		p := e.Public()
		if p.Locked {
			continue
		}
		text := p.Content
		if title := e.Title(); title != "" {
			text = title + "\n\n" + text
		}
		out = append(out, fence.Passage{Label: "Entry " + p.ID + ", " + p.Type + ":", Text: text})
	}
	return out
}

// fenced is a reply whose names are clean, and the words of strangers in it as Markdown
// for models; "" where there are none.
func fenced(t *endpoint.Tool, reply []byte) (clean []byte, texts string) {
	if t.Ours {
		return reply, ""
	}
	clean, words := fence.Named(reply, t.Quotes)
	if words = append(fence.Quoted(clean, t.Quotes), words...); len(words) > 0 {
		texts = fence.Untrusted(words)
	}
	return clean, texts
}

// bountyPassages are the texts of a bounty: what is asked for, and what was
// submitted as far as the caller is shown it.
func bountyPassages(r *bounty.LifecycleReply) []fence.Passage {
	out := []fence.Passage{{Label: "Bounty " + r.Bounty.ID + ":", Text: r.Bounty.Title + "\n\n" + r.Bounty.Description}}
	for _, s := range r.Submissions {
		if s.Solution != "" {
			out = append(out, fence.Passage{Label: "Submission " + s.ID + ":", Text: s.Solution})
		}
	}
	return out
}
