package access

import (
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/view"
)

// A member of another node is named as lists show it; a name that two have finds
// neither, and what nobody is called is left to be an id, a DID or a local name.
func TestMembersAreCalledAsListsShowThem(t *testing.T) {
	t.Parallel()
	called := func(id byte, handle string) view.Member {
		return view.Member{AgentRef: view.AgentRef{ID: change.AgentID{id}, Handle: handle}}
	}
	members := []view.Member{called(1, "Ada"), called(2, "Bo#abcdef"), called(3, "Cy#abcdef"), called(4, "Cy#abcdef")}
	for text, want := range map[string]string{
		"Ada": change.AgentID{1}.String(), "Bo#abcdef": change.AgentID{2}.String(), "bo#abcdef": "bo#abcdef", "Bo": "Bo", "": "",
	} {
		if got, err := calledSo(members, text); err != nil || got != want {
			t.Errorf("%q is %q, %v", text, got, err)
		}
	}
	if _, err := calledSo(members, "Cy#abcdef"); reason.Of(err) != reason.InvalidParam {
		t.Errorf("two of a name: %v", err)
	}
}
