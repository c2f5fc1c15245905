package transfer

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/recon"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/exchange"
	"github.com/meshd/meshd/node/ingest"
)

// Export writes every change that this node has as NDJSON, auth first, each set
// in (hlc, id) order, so that reading it from the top finds the past of every
// change before it. Changes that arrive meanwhile may or may not be in it. With
// public it leaves out the sets of private teams; Private says what is in them.
// It writes what is sound, and says what it lacks.
func (n *Transfer) Export(ctx context.Context, w io.Writer, public bool) (Exported, error) {
	out := bufio.NewWriterSize(w, 64<<10)
	var line []byte
	var done Exported
	for _, set := range n.core.Log.Sets() {
		if public && core.Private(set) {
			continue
		}
		members, _ := n.core.Log.Set(set).FP()
		wrote := uint64(0)
		var after recon.Item
		for {
			recs, err := n.core.Log.Range(ctx, set, after, exportBatch, ExportBytes)
			if err != nil {
				return done, fmt.Errorf("read %s: %w", set, err)
			}
			if len(recs) == 0 {
				break
			}
			for _, r := range recs {
				c := *r.Change
				if r.State != crdtlog.Present {
					c.Body = nil
				}
				if line, err = exchange.Append(line[:0], &c); err != nil {
					return done, err
				}
				if _, err := out.Write(line); err != nil {
					return done, fmt.Errorf("write export: %w", err)
				}
				after = recon.Item{HLC: c.Head.HLC, ID: c.ID}
				wrote++
			}
		}
		done.Changes += wrote
		done.Damaged += members - min(members, wrote)
	}
	if err := out.Flush(); err != nil {
		return done, fmt.Errorf("write export: %w", err)
	}
	return done, nil
}

// Exported counts the changes of an export.
type Exported struct {
	Changes uint64 // that were written
	Damaged uint64 // that were not, since they are damaged here
}

// Private counts the sets of private teams that this node has, and the changes in
// them.
func (n *Transfer) Private() (sets int, changes uint64) {
	for _, name := range n.core.Log.Sets() {
		if !core.Private(name) {
			continue
		}
		count, _ := n.core.Log.Set(name).FP()
		sets, changes = sets+1, changes+count
	}
	return sets, changes
}

// ImportReport says what became of the lines of an import.
type ImportReport struct {
	Read       int                 `json:"read"`       // lines
	New        int                 `json:"new"`        // changes that became members
	Duplicates int                 `json:"duplicates"` // changes that were here
	Refused    map[reason.Code]int `json:"refused"`    // lines by code
	// Stubs counts members whose bodies failed their row and were not kept.
	Stubs int `json:"stubs"`
	// Faults are the lines that were refused and those of Stubs, in their order: all
	// of them, up to maxImportFaults.
	Faults []ImportFault `json:"faults"`

	// waits are the changes refused for their absent past: what comes after them in
	// the file may be that past, which brings them in.
	waits map[change.ID]int // the place in Faults
}

// ImportFault names one line that was not taken in whole.
type ImportFault struct {
	Line int         `json:"line"` // from 1
	Code reason.Code `json:"code"`
	Text string      `json:"text,omitempty"` // what is wrong, in words
	Stub bool        `json:"stub,omitempty"` // a member without its body, which failed its row
	// Bytes is the size of a line that is too long, and Limit what one may have; both
	// are 0 for every other fault.
	Bytes int64 `json:"bytes,omitempty"`
	Limit int64 `json:"limit,omitempty"`
}

func (r *ImportReport) refuse(line int, code reason.Code, text string) {
	r.Refused[code]++
	r.note(ImportFault{Line: line, Code: code, Text: text})
}

// tooLong names a line that was passed over unread.
func (r *ImportReport) tooLong(line int, size int64) {
	r.Refused[reason.ChangeTooLarge]++
	r.note(ImportFault{
		Line: line, Code: reason.ChangeTooLarge, Bytes: size, Limit: maxExportLine,
		Text: fmt.Sprintf("the line has %d bytes, and one of an export has %d at most", size, maxExportLine),
	})
}

func (r *ImportReport) note(f ImportFault) {
	if len(r.Faults) < maxImportFaults {
		r.Faults = append(r.Faults, f)
	}
}

// Import reads an export and judges every change as if a peer had sent it. A
// line that is not good, or longer than any change is, is named and the rest goes
// on; the error is a fault of reading or of this node.
func (n *Transfer) Import(ctx context.Context, r io.Reader) (ImportReport, error) {
	rep := ImportReport{Refused: map[reason.Code]int{}, Faults: []ImportFault{}, waits: map[change.ID]int{}}
	in := exchange.NewLines(r, maxExportLine)
	var batch []*change.Change
	var lines []int
	flush := func() error {
		err := n.importBatch(ctx, &rep, batch, lines)
		batch, lines = batch[:0], lines[:0]
		return err
	}
	for line := 1; ; line++ {
		text, size, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return rep, errors.Join(flush(), fmt.Errorf("read line %d of the import: %w", line, err))
		}
		if size > maxExportLine {
			rep.Read++
			rep.tooLong(line, size)
			continue
		}
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		rep.Read++
		c, err := exchange.Read(text)
		if err != nil {
			code := reason.Of(err)
			if code == reason.Internal {
				code = reason.BadEncoding // of the line, not of a change
			}
			rep.refuse(line, code, err.Error())
			continue
		}
		if batch, lines = append(batch, c), append(lines, line); len(batch) == importBatch {
			if err := flush(); err != nil {
				return rep, err
			}
		}
	}
	if err := flush(); err != nil {
		return rep, err
	}
	return rep, n.importWaited(ctx, &rep)
}

// importWaited takes back the refusal of changes whose past came after them.
func (n *Transfer) importWaited(ctx context.Context, rep *ImportReport) error {
	came := map[int]bool{}
	for id, at := range rep.waits {
		r, err := n.core.Log.Get(ctx, id)
		if errors.Is(err, crdtlog.ErrNotFound) {
			continue
		}
		if err != nil && !errors.Is(err, crdtlog.ErrDamaged) {
			return fmt.Errorf("read %s: %w", id, err)
		}
		if rep.Refused[reason.MissingDeps]--; rep.Refused[reason.MissingDeps] == 0 {
			delete(rep.Refused, reason.MissingDeps)
		}
		if f := &rep.Faults[at]; r.State == crdtlog.RowFailed {
			f.Code, f.Stub = r.Reason, true
			rep.Stubs++
		} else {
			came[at] = true
		}
	}
	left := rep.Faults[:0]
	for at, f := range rep.Faults {
		if !came[at] {
			left = append(left, f)
		}
	}
	slices.SortFunc(left, func(a, b ImportFault) int { return cmp.Compare(a.Line, b.Line) })
	rep.Faults = left
	return nil
}

func (n *Transfer) importBatch(ctx context.Context, rep *ImportReport, batch []*change.Change, lines []int) error {
	if len(batch) == 0 {
		return nil
	}
	out, err := n.core.Ingest.Receive(ctx, ingest.Owner, "", batch)
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	rep.New += out.New
	rep.Duplicates += out.Duplicates
	for i, code := range out.Codes {
		if row := out.Rows[i]; row != "" {
			rep.Stubs++
			rep.note(ImportFault{Line: lines[i], Code: row, Stub: true})
		}
		if code == "" {
			continue
		}
		rep.refuse(lines[i], code, "")
		if code == reason.MissingDeps && len(rep.Faults) < maxImportFaults {
			rep.waits[batch[i].ID] = len(rep.Faults) - 1
		}
	}
	return nil
}
