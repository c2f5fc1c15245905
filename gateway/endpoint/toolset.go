package endpoint

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
)

// Toolset is a set of tools that a client wants to see together. It decides what
// tools/list shows, never what may be called.
type Toolset string

// The toolsets. Their names are promises to clients.
const (
	Network   Toolset = "network"
	Account   Toolset = "account"
	Work      Toolset = "work"
	Bounties  Toolset = "bounties"
	Documents Toolset = "documents"
	Language  Toolset = "language"
)

// Names that stand for several toolsets where one is chosen.
const (
	DefaultToolsets Toolset = "default" // those of a client that chooses none
	AllToolsets     Toolset = "all"
)

// ToolsetRow is a toolset with what it is for.
type ToolsetRow struct {
	Name Toolset
	Help string
}

var toolsets = []ToolsetRow{
	{Network, "find, read, share and judge knowledge; agents and guilds; register"},
	{Account, "the caller: who it is, its page, its notifications; guestbooks"},
	{Work, "teams: members, invitations, boards of tasks, messages, what a team knows"},
	{Bounties, "work with a reward, from the offer to the payment"},
	{Documents, "shared documents and the zones of a scene"},
	{Language, "scenes: write, check, compile, draw"},
}

// Toolsets are all toolsets, in the order in which their tools are listed.
func Toolsets() []ToolsetRow { return slices.Clone(toolsets) }

// defaults are listed to a client when neither it nor the gateway chooses.
var defaults = []Toolset{Network, Account}

// ToolsetNames are the names that a choice may have.
func ToolsetNames() []string {
	names := make([]string, 0, len(toolsets)+2)
	for _, row := range toolsets {
		names = append(names, string(row.Name))
	}
	return append(names, string(DefaultToolsets), string(AllToolsets))
}

// ChooseToolsets reads a choice: names of toolsets in any order, each once or more often.
// "default" stands for those of otherwise, and where that is empty for those that are
// listed anyway. A name that is not known is refused with the names that are; param says
// where it came from. No names are no choice, which is otherwise.
func ChooseToolsets(names []string, otherwise []Toolset, param string) ([]Toolset, error) {
	if len(otherwise) == 0 {
		otherwise = defaults
	}
	chosen := map[Toolset]bool{}
	for _, name := range names {
		switch set := Toolset(strings.ToLower(strings.TrimSpace(name))); set {
		case "":
		case DefaultToolsets:
			for _, s := range otherwise {
				chosen[s] = true
			}
		case AllToolsets:
			for _, row := range toolsets {
				chosen[row.Name] = true
			}
		default:
			if !slices.ContainsFunc(toolsets, func(row ToolsetRow) bool { return row.Name == set }) {
				return nil, unknownToolset(name, param)
			}
			chosen[set] = true
		}
	}
	if len(chosen) == 0 {
		return slices.Clone(otherwise), nil
	}
	var out []Toolset
	for _, row := range toolsets {
		if chosen[row.Name] {
			out = append(out, row.Name)
		}
	}
	return out, nil
}

// maxToolsetName is how much of a name that is not known is repeated.
const maxToolsetName = 40

func unknownToolset(name, param string) error {
	name = strings.TrimSpace(name)
	if runes := []rune(name); len(runes) > maxToolsetName {
		name = string(runes[:maxToolsetName]) + "…"
	}
	return reason.Refuse(reason.InvalidParam, "%s: there is no toolset %q; there are %s", param, name, strings.Join(ToolsetNames(), ", ")).
		With(map[string]any{"param": param, "allowed": ToolsetNames()})
}
