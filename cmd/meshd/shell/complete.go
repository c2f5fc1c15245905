// Package shell has what a shell and its manual need of the command line: the values that
// complete a word, and the pages of man.
package shell

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/node/config"
)

// completer finds the values that may stand in the place of a word. before are the words
// of the command that are there already.
type completer func(s *session.Session, before []string, begun string) []string

// Complete gives the flags and words of a command line values that a shell offers: fixed
// ones, keys of settings, and what the running node knows. Without one, or when it does
// not answer soon, nothing is offered.
func Complete(s *session.Session, root *cobra.Command) {
	for _, c := range root.Commands() {
		Complete(s, c)
	}
	path := strings.TrimPrefix(root.CommandPath(), "meshd ")
	words := words[path]
	if group, _, _ := strings.Cut(path, " "); words == nil && group == "team" && root.Runnable() {
		words = []completer{guilds}
	}
	if len(words) > 0 && root.ValidArgsFunction == nil {
		root.ValidArgsFunction = func(_ *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
			at := len(args)
			if at >= len(words) {
				if !slices.Contains(repeating, path) {
					return nil, cobra.ShellCompDirectiveNoFileComp
				}
				at %= len(words)
			}
			return words[at](s, args, begun), cobra.ShellCompDirectiveNoFileComp
		}
	}
	see := func(f *pflag.Flag) {
		find := flags[path+" --"+f.Name]
		if find == nil {
			find = flags["--"+f.Name]
		}
		if find == nil {
			return
		}
		// It fails for a flag that has one, which the flag keeps.
		_ = root.RegisterFlagCompletionFunc(f.Name, func(_ *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return find(s, args, begun), cobra.ShellCompDirectiveNoFileComp
		})
	}
	root.LocalNonPersistentFlags().VisitAll(see)
	root.PersistentFlags().VisitAll(see)
}

// words are what completes the words of a command, in their order.
var words = map[string][]completer{
	"entry": {entries}, "vote": {entries, oneOf("+1", "-1", "0")}, "comment": {entries}, "comments": {entries}, "report": {entries},
	"retract": {entries}, "buy": {entries}, "purge": {entries},
	"moderate label": {entries, oneOf("spam", "secret", "fabricated", "abuse", "duplicate")}, "moderate labels": {entries},
	"moderate release": {entries}, "moderate purge": {entries}, "moderate suspend": {agents}, "moderate restore": {agents},
	"agent": {agents}, "key revoke": {keys},
	"bounty accept": {bounties}, "bounty cancel": {bounties}, "bounty changes": {bounties}, "bounty claim": {bounties}, "bounty create": {guilds},
	"bounty dispute": {bounties}, "bounty payout": {bounties}, "bounty release": {bounties}, "bounty resolve": {bounties, oneOf("pay", "refund", "split")},
	"bounty show": {bounties}, "bounty submit": {bounties},
	"guild follow": {guilds}, "guild invite": {guilds}, "guild join": {guilds}, "guild leave": {guilds}, "guild remove": {guilds, agents},
	"guild role": {guilds, agents, oneOf("admin", "member", "viewer")}, "guild show": {guilds},
	"config get": {settings}, "config unset": {settings}, "config set": {settings, choices},
	"block add": {oneOf("agent", "tree", "peer", "domain"), agents}, "block rm": {oneOf("agent", "tree", "peer", "domain")},
}

// repeating are the commands whose words begin anew behind the last.
var repeating = []string{"config set", "config unset"}

var (
	entryTypes   = oneOf("wisdom", "pattern", "gotcha")
	messageTypes = oneOf("text", "status", "request", "handoff", "alert")
	sources      = oneOf("auto", "holo", "hs", "hsplus")
	coins        = oneOf("credits", "USDC")
)

// flags are what completes the value of a flag: of one command, or of all that have it.
var flags = map[string]completer{
	"--log-level": oneOf("debug", "info", "warn", "error"), "--log-format": oneOf("text", "json"),
	"--domain": domains, "--author": agents, "--assignee": agents, "--supersedes": entries, "--reuses": entries, "--entry": entries, "--guild": guilds,
	"contribute --type": entryTypes, "check --type": entryTypes, "feed --type": entryTypes, "query --type": entryTypes,
	"agents --sort": oneOf("reputation", "recent", "name", "contributions"), "feed --sort": oneOf("recent", "top"), "comments --sort": oneOf("recent", "top"),
	"domains --sort": oneOf("count", "name", "recent"), "bounty list --sort": oneOf("recent", "amount", "deadline"),
	"bounty list --status":   oneOf("open", "claimed", "submitted", "accepted", "disputed", "paid", "cancelled", "expired", "refunded"),
	"bounty list --currency": coins, "bounty create --currency": coins,
	"cap cid --hasher": oneOf("SHA2-256", "SHA2-512", "BLAKE3-256"), "cap issue --format": oneOf("0.10", "1.0"), "cap issue --role": oneOf("owner", "admin", "member", "viewer"),
	"guild create --type": oneOf("bounty", "social", "research", "dev"), "guild create --visibility": oneOf("public", "internal", "private"),
	"guild invite --role": oneOf("member", "viewer"),
	"id passport --form":  oneOf("json", "vc", "jwt", "binary"),
	"init --profile":      choiceOf("node.profile"), "init --root-alg": oneOf("hybrid", "ed25519"),
	"key new --scopes":    scopes,
	"lang check --format": sources, "lang compile --format": sources, "lang format --format": sources, "lang parse --format": sources,
	"lang render --format": sources, "lang run --format": sources, "lang test --format": sources, "lang render --quality": oneOf("draft", "preview", "production"),
	"profile set --particles": oneOf("none", "stars", "snow", "sparks"), "profile set --room": oneOf("public", "guild", "private"),
	"purge --tree":    agents,
	"report --reason": oneOf("spam", "secret", "fabricated", "abuse", "duplicate"), "block add --publish": oneOf("spam", "secret", "fabricated", "abuse"),
	"team board --status": oneOf("open", "claimed", "blocked"), "team board list --status": oneOf("open", "claimed", "blocked"),
	"team board add --role": oneOf("coder", "tester", "researcher", "reviewer", "flex"), "team board add --priority": oneOf("critical", "high", "medium", "low"),
	"team inbox --type": messageTypes, "team message --type": messageTypes, "team message --to": agents,
	"team present --status": oneOf("active", "idle", "busy", "offline"),
	"watch --team":          guilds,
}

func oneOf(values ...string) completer {
	return func(_ *session.Session, _ []string, begun string) []string { return fitting(values, begun) }
}

func fitting(values []string, begun string) (out []string) {
	for _, v := range values {
		if strings.HasPrefix(v, begun) {
			out = append(out, v)
		}
	}
	return out
}

// scopes completes the last of several.
func scopes(_ *session.Session, _ []string, begun string) []string {
	before := begun[:strings.LastIndexByte(begun, ',')+1]
	var all []string
	for _, one := range append(state.RegistrationScopes().Strings(), string(state.ScopeAll)) {
		if !slices.Contains(strings.Split(before, ","), one) {
			all = append(all, before+one)
		}
	}
	return fitting(all, begun)
}

func settings(_ *session.Session, _ []string, begun string) (out []string) {
	for _, k := range config.Keys() {
		if strings.HasPrefix(k.Name, begun) {
			help, _, _ := strings.Cut(k.Help, ". ")
			out = append(out, described(k.Name, help))
		}
	}
	return out
}

// choices completes the value of the setting before it.
func choices(s *session.Session, before []string, begun string) []string {
	return choiceOf(before[len(before)-1])(s, before, begun)
}

func choiceOf(name string) completer {
	for _, k := range config.Keys() {
		switch {
		case k.Name != name:
		case k.Type() == config.TypeSwitch:
			return oneOf("true", "false")
		default:
			return oneOf(k.Choices...)
		}
	}
	return oneOf()
}

var (
	domains  = known("/api/mesh/domains", "domains", "name", "", url.Values{"sort": {"count"}})
	entries  = known("/api/mesh/feed", "entries", "id", "content", nil)
	agents   = known("/api/mesh/directory", "agents", "handle", "tier", nil)
	guilds   = known("/api/mesh/teams", "teams", "id", "name", nil)
	bounties = known("/api/mesh/bounties", "bounties", "id", "title", nil)
	keys     = known("/api/mesh/keys", "keys", "id", "label", nil)
)

// known completes by a field of what the running node lists under a name.
func known(path, list, field, about string, query url.Values) completer {
	return func(s *session.Session, _ []string, begun string) (out []string) {
		home, err := s.HomeDir()
		if err != nil {
			return nil
		}
		d, err := session.Dial(home)
		if err != nil {
			return nil
		}
		defer func() { _ = d.Close() }() // nobody reads of it while they type
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		q := url.Values{"limit": {"100"}}
		for name, values := range query {
			q[name] = values
		}
		data, _, err := d.Do(ctx, http.MethodGet, path, q, nil, nil)
		if err != nil {
			return nil
		}
		var lists map[string]json.RawMessage
		var items []map[string]any
		if json.Unmarshal(data, &lists) != nil || json.Unmarshal(lists[list], &items) != nil {
			return nil
		}
		for _, item := range items {
			value, _ := item[field].(string)
			if alike, _ := item["id"].(string); strings.HasPrefix(alike, begun) && !strings.HasPrefix(value, begun) {
				value = alike
			}
			text, _ := item[about].(string)
			if value != "" && strings.HasPrefix(value, begun) && !strings.ContainsAny(value, "\t\n") {
				out = append(out, described(value, text))
			}
		}
		return out
	}
}

// patience is how long the node may take for a list.
const patience = 800 * time.Millisecond

// described is a value with a word about it for shells that show one.
func described(value, text string) string {
	if text = terminal.OneLine(text, 60); text != "" {
		return value + "\t" + text
	}
	return value
}
