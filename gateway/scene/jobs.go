package scene

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
)

// The states of a compile.
const (
	jobQueued  = "queued"
	jobRunning = "running"
	jobDone    = "done"
	jobFailed  = "failed"
)

// StatusReply is how far a compile is.
type StatusReply struct {
	JobID  string        `json:"job_id"`
	Status string        `json:"status" enum:"queued,running,done,failed"`
	Result *CompileShown `json:"result,omitempty" doc:"of a compile that is done, as compile_source gives it"`
	Fault  *JobFault     `json:"error,omitempty" doc:"why a compile failed"`
}

// JobFault is the refusal of a compile.
type JobFault struct {
	Code    string         `json:"code"`
	Error   string         `json:"error"`
	Details map[string]any `json:"details,omitempty"`
}

// jobs keeps the outcomes of compiles for a while, by who asked and by their name.
type jobs struct {
	mu    sync.Mutex
	kept  map[jobKey]*job
	order []jobKey // oldest first
}

// jobKey names a compile. The owner is an agent by its key; of a token, which is not its
// agent, and of callers without a key the name alone is known.
type jobKey struct{ owner, id string }

type job struct {
	at    time.Time
	reply StatusReply
}

func newJobs() *jobs { return &jobs{kept: map[jobKey]*job{}} }

// begin keeps a compile that is about to run. One of the same name gives way.
func (j *jobs) begin(key jobKey, now time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, there := j.kept[key]; !there {
		j.order = append(j.order, key)
	}
	j.kept[key] = &job{now, StatusReply{JobID: key.id, Status: jobQueued}}
	for len(j.order) > maxJobs {
		delete(j.kept, j.order[0])
		j.order = j.order[1:]
	}
}

// set changes what is known of a compile, if it is still kept.
func (j *jobs) set(key jobKey, change func(*StatusReply)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if one := j.kept[key]; one != nil {
		change(&one.reply)
	}
}

func (j *jobs) find(key jobKey, now time.Time) (StatusReply, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	one := j.kept[key]
	if one == nil || now.Sub(one.at) > jobLife {
		return StatusReply{}, false
	}
	return one.reply, true
}

// CompileToolRequest is a CompileRequest of a model.
type CompileToolRequest struct {
	CompileRequest
	JobID  string `field:"job_id"`
	Inline bool   `field:"inline"`
}

// CompileToolForm reads a CompileToolRequest.
var CompileToolForm = call.Define[CompileToolRequest](endpoint.Fields(CompileForm.Form, call.Form{InlineField,
	{Name: "job_id", Min: minJobID, Max: maxJobID, Help: "A name for this compile, which nobody guesses; without it one is made. get_compilation_status takes it for an hour."},
}))

// JobRequest names a compile.
type JobRequest struct {
	call.Request
	JobID string `field:"job_id"`
}

// JobForm reads a JobRequest.
var JobForm = call.Define[JobRequest](call.Form{{Name: "job_id", Max: maxJobID, Required: true, Help: "job_id of compile_source."}})

// compileForModel compiles, and after s.patience says which job to ask about instead of
// waiting on; a caller that receives progress waits to the end. Who hangs up before then ends
// the compile.
func (s *Service) compileForModel(ctx context.Context, c *endpoint.Call, r CompileToolRequest) (*CompileShown, error) {
	key := jobKey{c.Caller.AgentID, r.JobID}
	if key.id == "" {
		key.id = "job_" + strings.ToLower(rand.Text())
	}
	s.jobs.begin(key, s.now())
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	detach := context.AfterFunc(ctx, stop)
	type outcome struct {
		reply *CompileReply
		err   error
	}
	ended := make(chan outcome, 1)
	go func() {
		defer stop()
		reply, err := s.compileJob(work, key, r.CompileRequest)
		ended <- outcome{reply, err}
	}()
	var enough <-chan time.Time
	if !c.Progress {
		timer := time.NewTimer(s.patience)
		defer timer.Stop()
		enough = timer.C
	}
	select {
	case o := <-ended:
		if o.err != nil {
			return nil, shortRefusal(o.err)
		}
		s.work.Keep(ctx, o.reply.size())
		return s.shownCompile(o.reply, key.id, r.Inline)
	case <-enough:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if !detach() { // the caller has gone just now
		return nil, context.Cause(ctx)
	}
	now, _ := s.jobs.find(key, s.now())
	if now.Status != jobQueued {
		now.Status = jobRunning // what ended this moment is reported to who asks
	}
	return &CompileShown{JobID: key.id, Status: now.Status}, nil
}

// compileJob compiles and keeps the outcome. A fault of the compiler is one of this
// compile alone.
func (s *Service) compileJob(ctx context.Context, key jobKey, r CompileRequest) (reply *CompileReply, err error) {
	defer func() {
		if v := recover(); v != nil {
			reply, err = nil, fmt.Errorf("panic: %v", v)
		}
		var shown *CompileShown
		if err == nil {
			shown, err = s.shownCompile(reply, key.id, false)
		}
		s.jobs.set(key, func(now *StatusReply) {
			if now.Status, now.Result = jobDone, shown; err != nil {
				now.Status, now.Fault = jobFailed, faultOf(err)
			}
		})
	}()
	return s.compile(ctx, r, func() { s.jobs.set(key, func(now *StatusReply) { now.Status = jobRunning }) })
}

// faultOf says why a compile failed, no more than is said to who waited for it.
func faultOf(err error) *JobFault {
	var r *reason.Refusal
	if !errors.As(shortRefusal(err), &r) {
		if errors.Is(err, context.Canceled) {
			return &JobFault{Code: string(reason.Timeout), Error: "who asked for this compile has gone"}
		}
		return &JobFault{Code: string(reason.Internal), Error: "internal fault"}
	}
	return &JobFault{string(r.Code), r.Text, r.Details}
}

// JobStatus is how far a compile of the caller is.
func (s *Service) JobStatus(c call.Caller, r JobRequest) (*StatusReply, error) {
	if r.JobID == "" {
		return nil, MissingField("job_id")
	}
	reply, ok := s.jobs.find(jobKey{c.AgentID, r.JobID}, s.now())
	if !ok {
		gone := reason.Refuse(reason.JobNotFound, "you have no compile of this name here: an outcome is kept for an hour at most")
		gone.Hint = "call compile_source again: equal sources give equal artefacts"
		return nil, gone
	}
	return &reply, nil
}
