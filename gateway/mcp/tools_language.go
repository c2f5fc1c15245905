package mcp

import (
	"context"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/scene"
	"github.com/meshd/meshd/gateway/service"
)

// languageTools read and check sources and tell of traits. They need no key.
var languageTools = []tool{
	{
		name: "parse_hs", size: maxSource, title: "Read a process or module", read: true, bucket: limit.Compile, form: scene.ParseHSForm, output: scene.ParseHSReply{},
		help: "Parse .hs or .hsplus source into its syntax tree. Errors come with place, message and fix; what is whole around them is read.",
		run: func(ctx context.Context, s *service.Service, _ call.Caller, v call.Values, _ string) (any, error) {
			return s.Scenes.ParseHS(ctx, v)
		},
	},
	{
		name: "parse_holo", size: maxSource, title: "Read a scene", read: true, bucket: limit.Compile, form: scene.ParseHoloForm, output: scene.ParseHoloReply{},
		help: "Parse .holo source and return its composition as a syntax tree. Errors come with place, message and fix.",
		run: func(ctx context.Context, s *service.Service, _ call.Caller, v call.Values, _ string) (any, error) {
			return s.Scenes.ParseHolo(ctx, v)
		},
	},
	{
		name: "validate_source", size: maxSource, title: "Check a source", read: true, bucket: limit.Compile, form: scene.ValidateForm, output: scene.ValidateReply{},
		help: "Check source of any format: syntax, names, block kinds, traits, types, state machines, pipelines. Unknown traits are warnings.",
		run: func(ctx context.Context, s *service.Service, _ call.Caller, v call.Values, _ string) (any, error) {
			return s.Scenes.Validate(ctx, v)
		},
	},
	{
		name: "list_traits", title: "List traits", read: true, bucket: limit.Read, form: scene.TraitsForm, output: scene.TraitsReply{},
		help: "List the traits that objects can have, all or of one category.",
		run: func(_ context.Context, s *service.Service, _ call.Caller, v call.Values, _ string) (any, error) {
			return s.Scenes.Traits(v)
		},
	},
	{
		name: "suggest_traits", title: "Suggest traits", read: true, bucket: limit.Read, form: scene.SuggestForm, output: scene.SuggestReply{},
		help: "Name traits for an object that is described in words, by rules: equal questions get equal answers.",
		run: func(_ context.Context, s *service.Service, _ call.Caller, v call.Values, _ string) (any, error) {
			return s.Scenes.SuggestTraits(v)
		},
	},
	{
		name: "explain_trait", title: "Explain a trait", read: true, bucket: limit.Read, form: scene.ExplainForm, output: scene.ExplainReply{},
		help: "Everything about one trait: parameters, what it needs and excludes, what it becomes, an example.",
		run: func(_ context.Context, s *service.Service, _ call.Caller, v call.Values, _ string) (any, error) {
			return s.Scenes.ExplainTrait(v)
		},
	},
	{
		name: "generate_scene", title: "Make a scene from words", read: true, bucket: limit.Compile, form: scene.GenerateForm, output: scene.GenerateReply{},
		help: "Make a scene from a sentence, or change the one in code. Fixed rules, no AI model: a small English vocabulary of shapes, furniture, nature, colours, " +
			"places and behaviours. Words that it does not know come back in not_understood.",
		run: func(ctx context.Context, s *service.Service, _ call.Caller, v call.Values, _ string) (any, error) {
			return s.Scenes.GenerateScene(ctx, v)
		},
	},
	{
		name: "generate_object", title: "Make an object from words", read: true, bucket: limit.Compile, form: scene.GenerateForm, output: scene.GenerateReply{},
		help: "Make one thing or several from a sentence, without a scene, ground, camera or light around them, to be put into a scene of your own. " +
			"Fixed rules, no AI model.",
		run: func(ctx context.Context, s *service.Service, _ call.Caller, v call.Values, _ string) (any, error) {
			return s.Scenes.GenerateObject(ctx, v)
		},
	},
}
