package scene

import (
	"context"

	"github.com/meshd/meshd/docs"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/ucan"
)

// Tools are the tools of this room.
func Tools(s *Service) []endpoint.Tool {
	all := []endpoint.Tool{
		{
			Name: "compile_source", Shows: true, Size: endpoint.MaxSourceBody, Title: "Compile a source", Needs: auth.Everybody(auth.Gateway, ucan.SourceCompile), Read: true, Bucket: limit.Compile, Time: endpoint.CompileTime, Form: CompileToolForm.Form,
			Help: "Compile a source of the scene language to a target of list_targets: a page (html), a model (glb, usd, obj), a robot (urdf) and more. " +
				"Says what the target cannot carry in losses. Files come as links with hash, size and first lines, short ones whole. A compile that takes long " +
				"is reported by get_compilation_status.",
			Output: CompileShown{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				reply, err := s.compileForModel(ctx, c, CompileToolForm.Read(c.Values))
				if err != nil {
					return nil, err
				}
				c.Beside = reply.beside()
				return reply, nil
			},
		},
		{
			Name: "list_targets", Title: "List compile targets", Read: true, Bucket: limit.Read, Form: TargetsToolForm.Form,
			Help: "What sources can be compiled to, with the files of each target; of one that is named, its options and features too.", Output: TargetsShown{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.targetsShown(TargetsToolForm.Read(c.Values))
			},
		},
		{
			Name: "render_scene", Shows: true, Size: endpoint.MaxSourceBody, Title: "Draw a scene", Needs: auth.Everybody(auth.Gateway, ucan.SourceCompile), Read: true, Bucket: limit.Render, Time: endpoint.RenderTime, Form: RenderToolForm.Form,
			Help:   "Draw a source in software: png, an svg plan, or a gif that goes around it. The picture is in the result to look at, an svg as a link with its first lines.",
			Output: RenderShown{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				asked := RenderToolForm.Read(c.Values)
				reply, err := s.Render(ctx, asked.RenderRequest)
				if err != nil {
					return nil, shortRefusal(err)
				}
				shown, beside := s.shownRender(reply, asked.Inline)
				c.Beside = beside
				return shown, nil
			},
		},
		{
			Name: "parse_hs", Size: endpoint.MaxSourceBody, Title: "Read a process or module", Needs: auth.Everybody(auth.Gateway, ucan.SourceCompile), Read: true, Bucket: limit.Compile, Form: ParseHSToolForm.Form, Output: ParseHSShown{},
			Help: "Parse .hs or .hsplus source into its syntax tree. Errors come with place, message and fix; what is whole around them is read.",
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				asked := ParseHSToolForm.Read(c.Values)
				reply, err := s.parseHSShown(ctx, asked.ParseHSRequest, asked.Inline)
				if err != nil {
					return nil, err
				}
				besideWhole(reply.Whole, c)
				return reply, nil
			},
		},
		{
			Name: "parse_holo", Size: endpoint.MaxSourceBody, Title: "Read a scene", Needs: auth.Everybody(auth.Gateway, ucan.SourceCompile), Read: true, Bucket: limit.Compile, Form: ParseHoloToolForm.Form, Output: ParseHoloShown{},
			Help: "Parse .holo source and return its composition as a syntax tree. Errors come with place, message and fix.",
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				asked := ParseHoloToolForm.Read(c.Values)
				reply, err := s.parseHoloShown(ctx, asked.ParseHoloRequest, asked.Inline)
				if err != nil {
					return nil, err
				}
				besideWhole(reply.Whole, c)
				return reply, nil
			},
		},
		{
			Name: "validate_source", Size: endpoint.MaxSourceBody, Title: "Check a source", Needs: auth.Everybody(auth.Gateway, ucan.SourceCompile), Read: true, Bucket: limit.Compile, Form: ValidateToolForm.Form, Output: ValidateShown{},
			Help: "Check source of any format, alone or as files that import each other: syntax, names, block kinds, traits, types, state machines, pipelines. Unknown traits are warnings.",
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				asked := ValidateToolForm.Read(c.Values)
				reply, err := s.validateShown(ctx, asked.ValidateRequest, asked.Inline)
				if err != nil {
					return nil, err
				}
				besideWhole(reply.Whole, c)
				return reply, nil
			},
		},
		{
			Name: "list_traits", Title: "List traits", Read: true, Bucket: limit.Read, Form: TraitsToolForm.Form, Output: TraitsShown{},
			Help: "List the traits that objects can have, all by their names, or those of one category.",
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.traitsShown(TraitsToolForm.Read(c.Values))
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
			Help: "Everything about one trait: parameters, what it needs and excludes, what it becomes, what every target makes of it and reports, an example.",
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.ExplainTrait(ExplainForm.Read(c.Values))
			},
		},
		{
			Name: "generate_scene", Title: "Make a scene from words", Needs: auth.Everybody(auth.Gateway, ucan.SourceCompile), Read: true, Bucket: limit.Compile, Form: GenerateToolForm.Form, Output: GenerateShown{},
			Help: "Make a scene from a sentence, or change the one in code. Fixed rules, no AI model: a small English vocabulary of shapes, furniture, nature, colours, " +
				"places and behaviours. Words that it does not know come back in not_understood.",
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				asked := GenerateToolForm.Read(c.Values)
				reply, err := s.GenerateScene(ctx, asked.GenerateRequest)
				if err != nil {
					return nil, shortRefusal(err)
				}
				shown := s.shownGenerate(reply, asked.Inline)
				c.Beside = append(c.Beside, shown.Beside("scene."+shown.Format))
				return shown, nil
			},
		},
		{
			Name: "generate_object", Title: "Make an object from words", Needs: auth.Everybody(auth.Gateway, ucan.SourceCompile), Read: true, Bucket: limit.Compile, Form: GenerateToolForm.Form, Output: GenerateShown{},
			Help: "Make one thing or several from a sentence, without a scene, ground, camera or light around them, to be put into a scene of your own. " +
				"Fixed rules, no AI model.",
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				asked := GenerateToolForm.Read(c.Values)
				reply, err := s.GenerateObject(ctx, asked.GenerateRequest)
				if err != nil {
					return nil, shortRefusal(err)
				}
				shown := s.shownGenerate(reply, asked.Inline)
				c.Beside = append(c.Beside, shown.Beside("scene."+shown.Format))
				return shown, nil
			},
		},
		{
			Name: "get_compilation_status", Title: "How far a compile is", Read: true, Bucket: limit.Read, Form: JobForm.Form, Output: StatusReply{},
			Help: "Whether a compile of yours waits, runs, is done or failed, with its result. compile_source names the job; it is known for an hour.",
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				reply, err := s.JobStatus(c.Caller, JobForm.Read(c.Values))
				if err != nil {
					return nil, err
				}
				if reply.Result != nil {
					c.Beside = reply.Result.beside()
				}
				return reply, nil
			},
		},
		{
			Name: "format_source", Size: endpoint.MaxSourceBody, Title: "Format a source", Needs: auth.Everybody(auth.Gateway, ucan.SourceCompile), Read: true, Bucket: limit.Compile, Form: FormatForm.Form, Output: ConvertReply{},
			Help: "Print a source in its canonical form, as meshd lang format does. What cannot be read stays as it is and is reported.",
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return besideSource(c)(s.FormatSource(ctx, FormatForm.Read(c.Values)))
			},
		},
		{
			Name: "convert_format", Size: endpoint.MaxSourceBody, Title: "Convert a source", Needs: auth.Everybody(auth.Gateway, ucan.SourceCompile), Read: true, Bucket: limit.Compile, Form: ConvertForm.Form, Output: ConvertReply{},
			Help: "Print a source, or a scene that is described as JSON, as .holo, .hs or .hsplus. Says whether nothing was lost and what the other format finds.",
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return besideSource(c)(s.Convert(ctx, ConvertForm.Read(c.Values)))
			},
		},
		{
			Name: "get_syntax_reference", Title: "Read about the language", Read: true, Bucket: limit.Read, Form: ReferenceForm.Form, Output: ReferenceReply{},
			Help: "The page about the source language, a topic at a time: scenes, traits, state, machines, pipelines, modules, findings. Its examples are tested.",
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				reply, err := ReferenceOf(ReferenceForm.Read(c.Values))
				if err != nil {
					return nil, err
				}
				c.Beside = append(c.Beside, Link{URI: reply.URI, MediaType: markdownType, Bytes: len(docs.Language)}.Beside("language.md"))
				return reply, nil
			},
		},
		{
			Name: "get_examples", Title: "Look at examples", Read: true, Bucket: limit.Read, Form: ExamplesForm.Form, Output: ExamplesReply{},
			Help: "Sources that compile: a list with what each is, those that have your words, or one in full.",
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				reply, err := ExamplesOf(ExamplesForm.Read(c.Values))
				if err != nil {
					return nil, err
				}
				if reply.Count == 1 {
					c.Beside = append(c.Beside, reply.Examples[0].beside())
				}
				return reply, nil
			},
		},
	}
	for i := range all {
		all[i].Ours = true // the sources are the caller's own
	}
	return all
}

// besideSource puts the link to a source beside the result that has its beginning.
func besideSource(c *endpoint.Call) func(*ConvertReply, error) (any, error) {
	return func(r *ConvertReply, err error) (any, error) {
		if err != nil {
			return nil, err
		}
		c.Beside = append(c.Beside, r.Beside(r.fileName()))
		return r, nil
	}
}
