package worldtest_test

import (
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/worldtest"
	"github.com/meshd/meshd/identity/role"
)

// rights is a story of keys, devices, guilds and roles.
func rights(seed uint64) (*worldtest.World, []*change.Change) {
	w := worldtest.New(seed)
	var cs []*change.Change
	add := func(c *change.Change) *change.Change { cs = append(cs, c); return c }

	purse, spare := w.Wallet("purse"), w.Key("spare")
	ada, bo, cy, di := w.Agent("ada"), w.Agent("bo"), w.Agent("cy"), w.Agent("di")
	add(ada.BindAs(body.Bind{Name: "ada", Controllers: []string{worldtest.Account(purse)}, Next: worldtest.RecoveryHash(spare.Key())}))
	for _, a := range []*worldtest.Author{bo, cy, di} {
		add(a.Bind())
	}
	for _, visibility := range []string{body.Public, body.Private} {
		guild := add(ada.OpenGuild("go "+visibility, visibility))
		space := guild.Head.Space
		add(ada.Member(guild, bo, role.Admin))
		add(bo.Member(guild, cy, role.Member))
		kept := add(cy.Change(change.KindEntryPut, space, entry(), worldtest.Options{}))
		lost := add(cy.Change(change.KindEntryPut, space, entry(), worldtest.Options{}))
		viewer := add(bo.Grant(space, di.Key.Key(), worldtest.Grants{Role: role.Viewer, Expires: 1767225600 + 9000}))
		add(bo.Grant(space, di.Key.Key(), worldtest.Grants{Role: role.Viewer, Closes: &body.Closes{Grant: viewer.ID, Cut: body.Cuts{}}}))
		add(ada.Revoke(cs[len(cs)-5], worldtest.CutAt(kept)))
		add(ada.Endorse(space, body.Readmit, lost))
	}

	phone, grant := ada.Device("phone")
	add(grant)
	tablet, grant := phone.Device("tablet", "entry/put", "vote/cast")
	add(grant)
	add(phone.Entry("go", "from the phone"))
	add(tablet.Entry("go", "from the tablet"))
	add(phone.OpenGuild("phones", body.Internal))
	add(phone.Revoke(grant, body.Cuts{tablet.Key.Key(): tablet.Cut()}))

	second, c := ada.Rotate("ada 2", nil, body.Rotate{Cut: ada.Cut()})
	add(c)
	third, c := second.Rotate("ada 3", worldtest.ByKey(spare), body.Rotate{Cut: second.Cut()})
	add(c)
	fourth, c := third.Rotate("ada 4", worldtest.ByWallet(purse), body.Rotate{Cut: third.Cut(), HasControllers: true, Next: worldtest.RecoveryHash(spare.Key())})
	add(c)
	add(fourth.Bind())
	add(fourth.Entry("go", "from the fourth key"))
	add(fourth.Change(change.KindEntryPut, cs[4].Head.Space, entry(), worldtest.Options{}))
	return w, cs
}

func entry() []byte {
	b, err := body.Entry{Type: body.Wisdom, Text: worldtest.Text("rights"), Confidence: body.DefaultConfidence}.Encode()
	if err != nil {
		panic(err)
	}
	return b
}

func TestRightsAreMembers(t *testing.T) {
	t.Parallel()
	w, cs := rights(1)
	for i, v := range w.Verify(cs...) {
		if v.Row() != "" {
			t.Errorf("change %d: body fails its row: %s", i, v.Row())
		}
	}
	_, again := rights(1)
	for i := range cs {
		if cs[i].ID != again[i].ID {
			t.Errorf("change %d differs between two worlds of one seed", i)
		}
	}
}
