package scene

import (
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
)

// Behaviour compiles what a source does; an error of step ends the work.
func Behaviour(src *target.Source, step func() error) (*run.Compiled, error) {
	built, found := scene.Build(src.Main, src.More, scene.Options{Registry: src.Registry, Imports: src.Imports, Prototypes: true, Limits: serverLimits, Step: step})
	if err := step(); err != nil {
		return nil, err
	}
	faults := []diag.Diagnostic{}
	for _, list := range [][]diag.Diagnostic{src.Found, found} {
		for _, d := range list {
			if d.Severity == diag.Error && len(faults) < MaxDiagnostics {
				faults = append(faults, d)
			}
		}
	}
	if len(faults) > 0 {
		return nil, reason.Refuse(reason.SourceInvalid, "the source has errors; the first, in line %d: %s", faults[0].Line, faults[0].Message).
			With(map[string]any{"diagnostics": faults})
	}
	compiled, err := run.Compile(built, append([]*ast.File{src.Main}, src.More...), false)
	if err != nil {
		return nil, SourceFault(err)
	}
	return compiled, nil
}

// SourceFault refuses a source for what is wrong with its meaning.
func SourceFault(err error) error {
	return reason.Refuse(reason.SourceInvalid, "%s", call.Clip(err.Error(), 300)).With(map[string]any{"diagnostics": []diag.Diagnostic{}})
}
