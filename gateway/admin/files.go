package admin

import (
	"net/http"
	"strconv"
)

// VerifyReply is the outcome of GET /control/verify.
type VerifyReply struct {
	OK       bool     `json:"ok"`
	Deep     bool     `json:"deep"`
	Changes  uint64   `json:"changes"` // that are sound
	Damaged  int      `json:"damaged"` // that are not
	Problems []string `json:"problems"`
	ViewsOK  bool     `json:"views_ok"`
	State    []string `json:"state_problems"`
}

func (h *handlers) verify(w http.ResponseWriter, r *http.Request) {
	deep := r.URL.Query().Get("deep") == "true"
	check := h.Node.Verify
	if deep {
		check = h.Node.VerifyDeep
	}
	got, err := check(r.Context())
	if err != nil {
		h.fail(w, err)
		return
	}
	inState, err := h.State.Verify(r.Context(), deep)
	if err != nil {
		h.fail(w, err)
		return
	}
	h.reply(w, VerifyReply{
		State: append([]string{}, inState...), OK: len(got.Problems) == 0 && len(inState) == 0 && got.ViewsOK, Deep: deep, Changes: got.Changes, Damaged: got.Damaged,
		Problems: append([]string{}, got.Problems...), ViewsOK: got.ViewsOK,
	})
}

func (h *handlers) repair(w http.ResponseWriter, r *http.Request) {
	out, err := h.Node.Repair(r.Context())
	if err != nil {
		h.fail(w, err)
		return
	}
	h.reply(w, out)
}

// Headers of an export that count what lies in the sets of private teams, which
// one with public=true leaves out.
const (
	PrivateSets    = "X-Mesh-Private-Sets"
	PrivateChanges = "X-Mesh-Private-Changes"
)

// DamagedChanges is the trailer of an export that counts the changes it lacks since
// they are damaged in the store.
const DamagedChanges = "X-Mesh-Damaged-Changes"

// export streams. After the first line the status cannot change any more, so a
// fault ends the connection, which the reader sees as a cut body.
func (h *handlers) export(w http.ResponseWriter, r *http.Request) {
	public := r.URL.Query().Get("public") == "true"
	w.Header().Set("Content-Type", "application/x-ndjson")
	sets, changes := h.Node.Private()
	w.Header().Set(PrivateSets, strconv.Itoa(sets))
	w.Header().Set(PrivateChanges, strconv.FormatUint(changes, 10))
	w.Header().Set("Trailer", DamagedChanges)
	done, err := h.Node.Export(r.Context(), w, public)
	if err != nil {
		h.Log.Error("export failed", "err", err)
		panic(http.ErrAbortHandler)
	}
	w.Header().Set(DamagedChanges, strconv.FormatUint(done.Damaged, 10))
}

// backup streams a backup. One that could not be finished has no end, which whoever
// checks it finds.
func (h *handlers) backup(w http.ResponseWriter, r *http.Request) {
	state, where := h.State.CopyTo, "sqlite"
	if h.State.Shared() {
		state, where = nil, "postgres"
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	if _, err := h.Node.Backup(r.Context(), w, state, where); err != nil {
		h.Log.Error("backup failed", "err", err)
		panic(http.ErrAbortHandler)
	}
}

func (h *handlers) load(w http.ResponseWriter, r *http.Request) {
	out, err := h.Node.Import(r.Context(), r.Body)
	if err != nil {
		h.fail(w, err)
		return
	}
	h.reply(w, out)
}
