package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/meshd/meshd/node/control"
)

// TestStepsWaitForTheirHome takes steps of a bounty while the node with its
// reward is down. The answer says that they are not confirmed and where to look
// again, they count nowhere before their home is back, and they do then, without
// being asked for once more.
func TestStepsWaitForTheirHome(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "meshd") // by this name the test binary is meshd
	if err := os.Symlink(exe, program); err != nil {
		t.Fatal(err)
	}
	payer := &side{t: t, program: program, home: filepath.Join(dir, "payer")}
	worker := &side{t: t, program: program, home: filepath.Join(dir, "worker")}
	defer payer.end(syscall.SIGKILL)
	defer worker.end(syscall.SIGKILL)
	payer.start("")
	worker.start(payer.peer)

	guild := at(payer.do("POST", "/api/mesh/guilds", map[string]any{"name": "Market", "type": "bounty", "visibility": "public"}, 201, ""), "guild", "id")
	socket, err := control.Dial(payer.home)
	if err != nil {
		t.Fatal(err)
	}
	grant := map[string]any{"agent_id": payer.agent, "amount": 100, "reason": "to try bounties"}
	if status, out := payer.send(socket, control.BaseURL, "", "POST", "/api/admin/credits/grant", grant); status != 200 {
		t.Fatalf("grant: %d %v", status, out)
	}
	socket.CloseIdleConnections()
	made := payer.do("POST", "/api/mesh/bounties", map[string]any{"teamId": guild, "title": "Mend the fence", "description": "All of it.", "amount": 25}, 201, "")
	id := at(made, "bounty", "id").(string)
	path := "/api/mesh/bounties/" + id
	worker.until(id, "open")
	payer.end(syscall.SIGKILL)

	// Claimed first, as it is open, and nobody can say whether that counts.
	worker.do("POST", path+"/submit", map[string]any{"solution": "It is mended."}, 503, "view_behind")
	waiting := worker.do("POST", path+"/claim", nil, 202, "")
	if at(waiting, "confirmed") != false || at(waiting, "status_url") != path+"/lifecycle" || at(waiting, "bounty", "status") != "open" || at(waiting, "bounty", "claimedBy") != nil {
		t.Fatalf("a claim without its home: %v", waiting)
	}
	payer.start(worker.peer)
	claimed := worker.until(id, "claimed")
	if at(claimed, "lifecycle", "claimedBy") != worker.agent || moves(claimed) != "open claimed" {
		t.Fatalf("claimed %v", claimed)
	}

	// A submission counts at once where it was made; that the home has it is reported separately.
	payer.end(syscall.SIGKILL)
	work := worker.do("POST", path+"/submit", map[string]any{"solution": "It is mended."}, 201, "")
	if at(work, "confirmed") != false || at(work, "submission", "status") != "pending" {
		t.Fatalf("submitted without the home: %v", work)
	}
	payer.start(worker.peer)
	payer.until(id, "submitted")
	paid := payer.do("POST", path+"/payout", nil, 200, "")
	if at(paid, "payoutResult", "amount") != 25.0 || at(paid, "bounty", "claimedBy") != worker.agent {
		t.Fatalf("paid %v", paid)
	}
	if there := worker.until(id, "paid"); moves(there) != "open claimed submitted accepted paid" {
		t.Errorf("moves %s", moves(there))
	}
}
