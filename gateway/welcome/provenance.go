package welcome

import (
	"context"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/identity/attest"
)

// VerifyEntryReply is what this node can say of an entry's history.
type VerifyEntryReply struct {
	Success bool           `json:"success"`
	Valid   bool           `json:"valid" doc:"every check is confirmed"`
	Verdict string         `json:"verdict" enum:"valid,unverifiable,fabricated" doc:"unverifiable: proof is missing; fabricated: a check is contradicted"`
	Checks  []HistoryCheck `json:"checks"`
}

// HistoryCheck is the outcome of one check.
type HistoryCheck struct {
	Name   string  `json:"name" enum:"digest,signature,key,authority,citations,acyclic,times,receipt,inclusion"`
	OK     bool    `json:"ok"`
	State  string  `json:"state" enum:"holds,open,contradicted"`
	Code   *string `json:"code" doc:"what is not confirmed"`
	Detail *string `json:"detail" doc:"for holders of a key"`
}

// historyCodes are the codes of checks that failed.
var historyCodes = map[attest.Check]reason.Code{
	attest.CheckDigest: reason.BlobMismatch, attest.CheckSignature: reason.BadChangeSignature, attest.CheckKey: reason.RotationInvalid,
	attest.CheckAuthority: reason.CapabilityMissing, attest.CheckCitations: reason.UnknownReference, attest.CheckAcyclic: reason.BadSequence,
	attest.CheckTimes: reason.BadSequence, attest.CheckReceipt: reason.ReceiptMismatch, attest.CheckInclusion: reason.ProofMissing,
}

// VerifyEntry recomputes the history of an entry from the log. Details, which may
// name what an entry cites, are not for callers without a key.
func (s *Service) VerifyEntry(ctx context.Context, c call.Caller, id string) (*VerifyEntryReply, error) {
	entry, err := s.access.EntryID(ctx, id)
	if err != nil {
		return nil, err
	}
	p, err := s.mesh.Provenance(ctx, entry)
	if err != nil {
		return nil, err
	}
	reply := &VerifyEntryReply{Success: true, Valid: p.Verdict == attest.Valid, Verdict: string(p.Verdict), Checks: []HistoryCheck{}}
	for _, f := range p.Findings {
		check := HistoryCheck{Name: string(f.Check), OK: f.Answer == attest.Yes, State: "holds"}
		if !check.OK {
			check.State = "open"
			if f.Answer == attest.No {
				check.State = "contradicted"
			}
			code := string(historyCodes[f.Check])
			check.Code = &code
			if !c.Masked() {
				check.Detail = &f.Detail
			}
		}
		reply.Checks = append(reply.Checks, check)
	}
	return reply, nil
}
