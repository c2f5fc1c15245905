package node

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/meshd/meshd/crdt/change"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/crdt/recon"
	"github.com/meshd/meshd/node/exchange"
)

// exportedBy is the sender of imported changes, for fairness among what waits.
const exportedBy = "file"

// Export writes every change of the public sets as NDJSON, auth first, each set
// in (hlc, id) order, so that reading it from the top finds the past of every
// change before it. Changes that arrive meanwhile may or may not be in it. It
// returns how many it wrote.
func (n *Node) Export(ctx context.Context, w io.Writer) (int, error) {
	out := bufio.NewWriterSize(w, 64<<10)
	var line []byte
	count := 0
	for _, set := range n.publicSets() {
		var after recon.Item
		for {
			recs, err := n.log.Range(ctx, set, after, exportBatch, exportBytes)
			if err != nil {
				return count, fmt.Errorf("read %s: %w", set, err)
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
					return count, err
				}
				if _, err := out.Write(line); err != nil {
					return count, fmt.Errorf("write export: %w", err)
				}
				after = recon.Item{HLC: c.Head.HLC, ID: c.ID}
				count++
			}
		}
	}
	if err := out.Flush(); err != nil {
		return count, fmt.Errorf("write export: %w", err)
	}
	return count, nil
}

// ImportReport says what became of the lines of an import.
type ImportReport struct {
	Read       int                 `json:"read"`
	New        int                 `json:"new"`
	Duplicates int                 `json:"duplicates"`
	Refused    map[reason.Code]int `json:"refused"`
	Faults     []ImportFault       `json:"faults"` // the first of them
}

// ImportFault names one line that was not taken in.
type ImportFault struct {
	Line int         `json:"line"`
	Code reason.Code `json:"code"`
	Text string      `json:"text,omitempty"`
}

func (r *ImportReport) refuse(line int, code reason.Code, text string) {
	r.Refused[code]++
	if len(r.Faults) < maxImportRefused {
		r.Faults = append(r.Faults, ImportFault{line, code, text})
	}
}

// Import reads an export and judges every change as if a peer had sent it. A
// line that is not good is counted and the rest goes on; the error is a fault
// of reading or of this node.
func (n *Node) Import(ctx context.Context, r io.Reader) (ImportReport, error) {
	rep := ImportReport{Refused: map[reason.Code]int{}, Faults: []ImportFault{}}
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 0, 64<<10), maxExportLine)
	var batch []*change.Change
	var lines []int
	flush := func() error {
		err := n.importBatch(ctx, &rep, batch, lines)
		batch, lines = batch[:0], lines[:0]
		return err
	}
	for line := 1; in.Scan(); line++ {
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		rep.Read++
		c, err := exchange.Read(in.Bytes())
		if err != nil {
			rep.refuse(line, reason.BadEncoding, err.Error())
			continue
		}
		if batch, lines = append(batch, c), append(lines, line); len(batch) == importBatch {
			if err := flush(); err != nil {
				return rep, err
			}
		}
	}
	if err := in.Err(); err != nil {
		return rep, errors.Join(flush(), fmt.Errorf("read import: %w", err))
	}
	return rep, flush()
}

func (n *Node) importBatch(ctx context.Context, rep *ImportReport, batch []*change.Change, lines []int) error {
	if len(batch) == 0 {
		return nil
	}
	out, err := n.ingest.Receive(ctx, exportedBy, "", batch)
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	rep.New += out.New
	rep.Duplicates += out.Duplicates
	for i, code := range out.Codes {
		if code != "" {
			rep.refuse(lines[i], code, "")
		}
	}
	return nil
}

// Verify reads every stored change again and reports what does not fit. It is
// the quick half of VerifyDeep.
func (n *Node) Verify(ctx context.Context) (DeepCheck, error) {
	out := DeepCheck{Changes: n.log.LastSeq(), ViewsOK: true}
	err := n.log.Verify(ctx, false, func(p crdtlog.Problem) {
		out.Problems = append(out.Problems, fmt.Sprintf("%s of change %d: %v", p.Part, p.Seq, p.Err))
	})
	if err != nil {
		return out, fmt.Errorf("verify log: %w", err)
	}
	return out, nil
}
