package service_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/state"
)

func TestFaultsAreReportedWithoutTheirText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		code reason.Code
	}{
		{errors.New("open /home/x/secret.db: broken"), reason.Internal},
		{fmt.Errorf("write: %w", state.ErrFull), reason.ReadOnly},
		{fmt.Errorf("write: %w", state.ErrBusy), reason.Overloaded},
		{fmt.Errorf("search: %w", context.DeadlineExceeded), reason.Timeout},
		{fmt.Errorf("wrapped in /tmp: %w", reason.Refuse(reason.NameTaken, "taken")), reason.NameTaken},
	} {
		b := knowledge.NewErrorBody(c.err, "req")
		if b.Code != string(c.code) || b.Success || b.RequestID != "req" || strings.Contains(b.Error+b.Hint, "/") {
			t.Errorf("%v: %+v", c.err, b)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for name, ok := range map[string]bool{
		"ada": true, "Ada Lovelace": true, "a.b_c-d": true, "日本": true, "étude": true, "e\u0301tude": true, "42": true,
		"a": false, "": false, " ada": false, "ada ": false, ".ada": false, "ada-": false, "a/b": false, "a\nb": false, "a\u200bb": false,
		"a<b": false, strings.Repeat("a", 64): true, strings.Repeat("a", 65): false, "\u0301da": false,
	} {
		if err := call.CheckName(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestAttemptMarksTheWholeRequest(t *testing.T) {
	t.Parallel()
	a := access.Attempt{Key: "k", Method: "POST", Path: "/p", Body: []byte("b")}
	for _, other := range []access.Attempt{
		{Key: "kP", Method: "OST", Path: "/p", Body: []byte("b")}, {Key: "k", Method: "POST", Path: "/pb"},
		{Key: "k", Method: "POST", Path: "/p", Body: []byte("c")}, {Key: "j", Method: "POST", Path: "/p", Body: []byte("b")},
	} {
		if a.Mark() == other.Mark() {
			t.Errorf("%+v has the same mark", other)
		}
	}
	if again := a; again.Mark() != a.Mark() || len(a.Mark()) != 64 || (access.Attempt{}).Mark() != "" {
		t.Error("a mark is not stable")
	}
}
