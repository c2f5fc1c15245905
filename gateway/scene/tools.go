package scene

import (
	"context"

	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/ucan"
)

// Tools are the tools of this room.
func Tools(s *Service) []endpoint.Tool {
	return []endpoint.Tool{
		{
			Name: "compile_source", Size: endpoint.MaxSourceBody, Title: "Compile a source", Needs: auth.Everybody(auth.Gateway, ucan.SourceCompile), Read: true, Bucket: limit.Compile, Time: endpoint.CompileTime, Form: CompileForm.Form,
			Help: "Compile a source of the scene language to a target of list_targets: a page (html), a model (glb, usd, obj), a robot (urdf) and more. " +
				"Says what the target cannot carry in losses.",
			Output: CompileReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Compile(ctx, CompileForm.Read(c.Values))
			},
		},
		{
			Name: "list_targets", Title: "List compile targets", Read: true, Bucket: limit.Read, Form: call.Form{},
			Help: "What sources can be compiled to, with the files, options and features of each target.", Output: TargetsReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Targets(), nil
			},
		},
		{
			Name: "render_scene", Size: endpoint.MaxSourceBody, Title: "Draw a scene", Needs: auth.Everybody(auth.Gateway, ucan.SourceCompile), Read: true, Bucket: limit.Render, Time: endpoint.RenderTime, Form: RenderForm.Form,
			Help:   "Draw a source in software: png, an svg plan, or a gif that goes around it. The picture comes in base64 and at a link for a day.",
			Output: RenderReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Render(ctx, RenderForm.Read(c.Values))
			},
		},
		{
			Name: "parse_hs", Size: endpoint.MaxSourceBody, Title: "Read a process or module", Needs: auth.Everybody(auth.Gateway, ucan.SourceCompile), Read: true, Bucket: limit.Compile, Form: ParseHSForm.Form, Output: ParseHSReply{},
			Help: "Parse .hs or .hsplus source into its syntax tree. Errors come with place, message and fix; what is whole around them is read.",
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.ParseHS(ctx, ParseHSForm.Read(c.Values))
			},
		},
		{
			Name: "parse_holo", Size: endpoint.MaxSourceBody, Title: "Read a scene", Needs: auth.Everybody(auth.Gateway, ucan.SourceCompile), Read: true, Bucket: limit.Compile, Form: ParseHoloForm.Form, Output: ParseHoloReply{},
			Help: "Parse .holo source and return its composition as a syntax tree. Errors come with place, message and fix.",
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.ParseHolo(ctx, ParseHoloForm.Read(c.Values))
			},
		},
		{
			Name: "validate_source", Size: endpoint.MaxSourceBody, Title: "Check a source", Needs: auth.Everybody(auth.Gateway, ucan.SourceCompile), Read: true, Bucket: limit.Compile, Form: ValidateForm.Form, Output: ValidateReply{},
			Help: "Check source of any format: syntax, names, block kinds, traits, types, state machines, pipelines. Unknown traits are warnings.",
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Validate(ctx, ValidateForm.Read(c.Values))
			},
		},
		{
			Name: "list_traits", Title: "List traits", Read: true, Bucket: limit.Read, Form: TraitsForm.Form, Output: TraitsReply{},
			Help: "List the traits that objects can have, all or of one category.",
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.Traits(TraitsForm.Read(c.Values))
			},
		},
		{
			Name: "suggest_traits", Title: "Suggest traits", Read: true, Bucket: limit.Read, Form: SuggestForm.Form, Output: SuggestReply{},
			Help: "Name traits for an object that is described in words, by rules: equal questions get equal answers.",
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.SuggestTraits(SuggestForm.Read(c.Values))
			},
		},
		{
			Name: "explain_trait", Title: "Explain a trait", Read: true, Bucket: limit.Read, Form: ExplainForm.Form, Output: ExplainReply{},
			Help: "Everything about one trait: parameters, what it needs and excludes, what it becomes, an example.",
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.ExplainTrait(ExplainForm.Read(c.Values))
			},
		},
		{
			Name: "generate_scene", Title: "Make a scene from words", Needs: auth.Everybody(auth.Gateway, ucan.SourceCompile), Read: true, Bucket: limit.Compile, Form: GenerateForm.Form, Output: GenerateReply{},
			Help: "Make a scene from a sentence, or change the one in code. Fixed rules, no AI model: a small English vocabulary of shapes, furniture, nature, colours, " +
				"places and behaviours. Words that it does not know come back in not_understood.",
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.GenerateScene(ctx, GenerateForm.Read(c.Values))
			},
		},
		{
			Name: "generate_object", Title: "Make an object from words", Needs: auth.Everybody(auth.Gateway, ucan.SourceCompile), Read: true, Bucket: limit.Compile, Form: GenerateForm.Form, Output: GenerateReply{},
			Help: "Make one thing or several from a sentence, without a scene, ground, camera or light around them, to be put into a scene of your own. " +
				"Fixed rules, no AI model.",
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.GenerateObject(ctx, GenerateForm.Read(c.Values))
			},
		},
	}
}
