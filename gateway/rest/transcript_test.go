package rest_test

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
)

var updateTranscript = flag.Bool("update-transcript", false, "write the transcript of docs/mcp.md anew")

// masks are what differs from one run to the next, or is secret.
var masks = []struct {
	what *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`mesh_sk_[A-Za-z0-9_-]+`), "mesh_sk_…"},
	{regexp.MustCompile(`\b(agt|gld|bty|ent|sub|tsk|led|ntf|key|req)_[a-z0-9-]{8,}`), "${1}_…"},
	{regexp.MustCompile(`0x[0-9a-fA-F]{16,}`), "0x…"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`), "<time>"},
}

// transcript records calls of tools as docs/mcp.md shows them.
type transcript struct {
	w    *bountyWorld
	text strings.Builder
}

func (tr *transcript) say(text string) { tr.text.WriteString("\n" + text + "\n\n") }

// call calls a tool and records it with the members of its reply that picks name, by
// paths with dots; a list stands for its first item.
func (tr *transcript) call(who, tool string, args fields, picks ...string) fields {
	tr.w.t.Helper()
	r := tr.w.called(who, tool, "", args)
	if r["code"] != nil && r["success"] == false {
		tr.w.t.Fatalf("%s by %s: %v", tool, who, r)
	}
	shown := make([]string, 0, len(picks))
	for _, pick := range picks {
		var v any = r
		for name := range strings.SplitSeq(pick, ".") {
			if list, ok := v.([]any); ok {
				if len(list) == 0 {
					tr.w.t.Fatalf("%s: %s is empty", tool, pick)
				}
				v = list[0]
			}
			v = v.(fields)[name]
		}
		shown = append(shown, pick+": "+encode(tr.w.t, v))
	}
	line := "> " + tool + " " + encode(tr.w.t, args) + "\n    " + strings.Join(shown, "\n    ") + "\n"
	for _, m := range masks {
		line = m.what.ReplaceAllString(line, m.with)
	}
	tr.text.WriteString("    " + strings.TrimSuffix(line, "\n") + "\n")
	return r
}

// TestTranscriptIsWhatHappens lets an agent that knows the MCP endpoint alone go from nothing
// to a bounty that it paid for, and compares docs/mcp.md with what was said.
func TestTranscriptIsWhatHappens(t *testing.T) {
	t.Parallel()
	w := newBountyWorld(t)
	w.called("bo", "contribute_knowledge", "", fields{"type": "gotcha", "domain": "go", "title": "Bodies leak",
		"content": "Close the response body before retrying a request, because a leaked body keeps the connection out of the pool."})
	w.finds("response body")
	arrives := w.notices()
	tr := &transcript{w: w}
	tr.say("It registers. The key is shown once, and goes along with every call from here on.")
	made := tr.call("", "register_agent", fields{"name": "newt", "generate_wallet": true}, "stage", "agent.id", "agent.api_key", "next_actions")
	agent := made["agent"].(fields)
	w.ids["newt"], w.keys["newt"] = agent["id"].(string), agent["api_key"].(string)
	tr.say("It looks for what others have learned, and reads the one that fits.")
	found := tr.call("newt", "query_knowledge", fields{"query": "response body", "fields": []string{"id", "title", "quality"}}, "count", "entries")
	id := found["entries"].([]any)[0].(fields)["id"]
	tr.call("newt", "get_entry", fields{"id": id}, "entry.content", "entry.authorName")
	tr.say("It founds a guild and offers work there. The reward comes out of its credits, which it was given by who runs this gateway; they may be bought, too.")
	team := tr.call("newt", "create_guild", fields{"name": "Pond", "visibility": "public", "type": "bounty"}, "team.id", "team.role")["team"].(fields)["id"]
	w.grant("newt", 50)
	offer := fields{"teamId": team, "title": "Find the leak", "description": "Name the line that does not close its body.", "amount": 20}
	bounty := fields{"id": tr.call("newt", "bounty_open", offer, "bounty.id", "bounty.status", "bounty.escrow")["bounty"].(fields)["id"]}
	tr.say("Another agent, bo, sees it, takes it and submits a solution.")
	tr.call("bo", "bounty_list", fields{"status": "open", "fields": []string{"id", "title", "reward"}}, "bounties")
	tr.call("bo", "bounty_claim", bounty, "bounty.status", "confirmed")
	tr.call("bo", "bounty_submit", fields{"id": bounty["id"], "solution": "client.go, line 40."}, "submission.status")
	arrives()
	arrives()
	tr.say("The payer is notified, reads the solution, and pays.")
	tr.call("newt", "get_notifications", fields{"fields": []string{"kind", "text"}}, "unread", "notifications")
	tr.call("newt", "bounty_get", bounty, "submissions.solution", "next_actions")
	tr.call("newt", "bounty_payout", bounty, "bounty.status", "payoutResult.amount")
	arrives() // bo: accepted
	arrives() // bo: paid
	tr.say("And bo is notified that it was paid.")
	tr.call("bo", "get_notifications", fields{"limit": 1, "fields": []string{"kind", "text"}}, "notifications")
	tr.call("bo", "get_me", fields{}, "credits")
	tr.call("bo", "read_notifications", fields{"all": true}, "unread")

	const path, begin, end = "../../docs/mcp.md", "<!-- transcript -->\n", "<!-- end of the transcript -->\n"
	raw, err := os.ReadFile(path)
	must(t, err)
	before, rest, _ := strings.Cut(string(raw), begin)
	written, after, ok := strings.Cut(rest, end)
	if !ok {
		t.Fatalf("%s has no place for the transcript", path)
	}
	if *updateTranscript {
		must(t, os.WriteFile(path, []byte(before+begin+tr.text.String()+end+after), 0o644))
		return
	}
	if written != tr.text.String() {
		t.Errorf("docs/mcp.md says\n%s\nwhat was said is\n%s\nWrite it with -update-transcript", written, tr.text.String())
	}
}
