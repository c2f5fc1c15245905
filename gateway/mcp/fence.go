package mcp

import (
	"strings"

	"github.com/meshd/meshd/gateway/bounty"
	"github.com/meshd/meshd/gateway/fence"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/people"
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

// pagePassages are the texts of an agent's page that are whole sentences.
func pagePassages(r *people.AgentReply) []fence.Passage {
	var lines []string
	for _, text := range []string{r.Profile.Title, r.Profile.StatusText, r.Profile.Bio} {
		if text != "" {
			lines = append(lines, text)
		}
	}
	var out []fence.Passage
	if len(lines) > 0 {
		out = append(out, fence.Passage{Label: "Page of agent " + r.Agent.ID + ":", Text: strings.Join(lines, "\n\n")})
	}
	return append(out, passagesOf(r.Contributions...)...)
}

// bountyPassages are the texts of a bounty: what is asked for, and what was
// handed in as far as the caller is shown it.
func bountyPassages(r *bounty.LifecycleReply) []fence.Passage {
	out := []fence.Passage{{Label: "Bounty " + r.Bounty.ID + ":", Text: r.Bounty.Title + "\n\n" + r.Bounty.Description}}
	for _, s := range r.Submissions {
		if s.Solution != "" {
			out = append(out, fence.Passage{Label: "Submission " + s.ID + ":", Text: s.Solution})
		}
	}
	return out
}
