package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/schema"
)

// general are the refusals any endpoint may give.
var general = []reason.Code{
	reason.InvalidJSON, reason.InvalidParam, reason.AmbiguousCredentials, reason.CredentialInURL,
	reason.Forbidden, reason.BodyTooLarge, reason.UnsupportedMediaType, reason.ValidationFailed,
	reason.RateLimited, reason.Internal, reason.Overloaded, reason.ReadOnly, reason.ViewBehind, reason.NotReady, reason.Timeout,
}

var once = []reason.Code{reason.IdempotencyInProgress, reason.IdempotencyMismatch}

// document is the OpenAPI 3.1 description of a table.
func document(table []route) ([]byte, error) {
	replies := schema.New("#/components/schemas/")
	api := huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{Title: "meshd", Version: "1", License: &huma.License{Name: "Apache-2.0", URL: "https://www.apache.org/licenses/LICENSE-2.0"},
			Description: "The mesh API of a node. Every refusal is the ErrorBody object; its code is one of x-reason-codes."},
		JSONSchemaDialect: schema.Dialect,
		Servers:           []*huma.Server{{URL: "/"}},
		Paths:             map[string]*huma.PathItem{},
		Components: &huma.Components{
			SecuritySchemes: map[string]*huma.SecurityScheme{
				"bearer": {Type: "http", Scheme: "bearer", Description: "An API key, mesh_sk_…"},
				"key":    {Type: "apiKey", In: "header", Name: "X-API-Key"},
			},
		},
		Tags:       tags(),
		Extensions: map[string]any{"x-reason-codes": codes()},
	}
	for i := range table {
		rt := &table[i]
		item := api.Paths[rt.Path]
		if item == nil {
			item = &huma.PathItem{}
			api.Paths[rt.Path] = item
		}
		*methodOf(item, rt.Method) = operation(rt, replies)
	}
	replies.Of(knowledge.ErrorBody{})
	replies.Map() // opens every schema for further fields
	api.Components.Schemas = replies.Registry()
	raw, err := json.Marshal(&api)
	if err != nil {
		return nil, fmt.Errorf("encode API description: %w", err)
	}
	return append(raw, '\n'), nil
}

func methodOf(item *huma.PathItem, method string) **huma.Operation {
	switch method {
	case http.MethodGet:
		return &item.Get
	case http.MethodPost:
		return &item.Post
	case http.MethodPut:
		return &item.Put
	case http.MethodPatch:
		return &item.Patch
	}
	return &item.Delete
}

func operation(rt *route, replies *schema.Replies) *huma.Operation {
	op := &huma.Operation{OperationID: operationID(rt), Summary: rt.Summary, Tags: []string{areaOf(rt.Path)}, Responses: map[string]*huma.Response{},
		Security: credentials(rt.Needs.Keyed())}
	op.Extensions = map[string]any{}
	if need := rt.Needs; need.Can != "" {
		op.Extensions["x-resource"], op.Extensions["x-ability"] = need.Resource(), need.Can
		if scope := need.Scope(); scope != "" {
			op.Extensions["x-scope"] = string(scope)
		}
		if need.Role != "" {
			op.Extensions["x-role"] = need.Role
		}
		if need.KeyOnly != "" {
			op.Extensions["x-key-only"] = need.KeyOnly
		}
	}
	if rt.Bucket != "" {
		op.Extensions["x-bucket"] = string(rt.Bucket)
	}
	for _, part := range strings.Split(rt.Path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			op.Parameters = append(op.Parameters, &huma.Param{Name: strings.TrimSuffix(name, "}"), In: "path", Required: true,
				Schema: &huma.Schema{Type: "string"}})
		}
	}
	for _, f := range rt.Query {
		op.Parameters = append(op.Parameters, &huma.Param{Name: f.Name, In: "query", Description: f.Help, Required: f.Required, Schema: schema.OfField(f)})
	}
	if rt.Once {
		op.Parameters = append(op.Parameters, &huma.Param{Name: "Idempotency-Key", In: "header",
			Description: "Names the request, so that it can be repeated.", Schema: &huma.Schema{Type: "string"}})
	}
	if rt.Body != nil {
		op.RequestBody = &huma.RequestBody{Content: map[string]*huma.MediaType{"application/json": {Schema: schema.OfForm(rt.Body, true)}}}
	}
	if rt.Media != "" {
		op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{rt.Media: {Schema: &huma.Schema{Type: "string", Format: "binary"}}}}
	}
	success := &huma.Response{Description: rt.Summary}
	if rt.Reply != nil {
		success.Content = map[string]*huma.MediaType{"application/json": {Schema: replies.Of(rt.Reply)}}
	}
	if rt.Kind != "" {
		success.Content = map[string]*huma.MediaType{rt.Kind: {Schema: &huma.Schema{Type: "string"}}}
	}
	status := rt.Status
	if status == 0 {
		status = http.StatusOK
	}
	op.Responses[strconv.Itoa(status)] = success
	list := slices.Concat(general, rt.Codes)
	if rt.Needs.Keyed() {
		list = slices.Concat(list, endpoint.KeyedCodes)
		if rt.Method != http.MethodGet {
			list = append(list, reason.Suspended)
		}
		if rt.Needs.Acts() && rt.Method != http.MethodGet {
			list = append(list, reason.TokenReplayed)
		}
	}
	if rt.Once {
		list = slices.Concat(list, once)
	}
	refusals(op, list, replies)
	return op
}

// credentials are those that an operation takes; where none is needed one may still
// be sent, and widens what is shown.
func credentials(needed bool) []map[string][]string {
	list := []map[string][]string{{"bearer": {}}, {"key": {}}}
	if needed {
		return list
	}
	return append([]map[string][]string{{}}, list...)
}

// refusals adds a response for each status, naming its codes.
func refusals(op *huma.Operation, list []reason.Code, replies *schema.Replies) {
	byStatus := map[string][]string{}
	for _, c := range list {
		status := strconv.Itoa(c.HTTP())
		switch c { // of the two statuses that these have, the one of a reader and of a bearer
		case reason.Revoked:
			status = strconv.Itoa(http.StatusGone)
		case reason.ProofMissing:
			status = strconv.Itoa(http.StatusNotExtended)
		}
		if !slices.Contains(byStatus[status], string(c)) {
			byStatus[status] = append(byStatus[status], string(c))
		}
	}
	for status, names := range byStatus {
		slices.Sort(names)
		op.Responses[status] = &huma.Response{Description: "Refused: " + strings.Join(names, ", "),
			Content: map[string]*huma.MediaType{"application/json": {Schema: replies.Of(knowledge.ErrorBody{})}}}
	}
}

func operationID(rt *route) string {
	id := strings.NewReplacer("/", "-", "{", "", "}", "", ".", "-").Replace(strings.Trim(rt.Path, "/"))
	return strings.ToLower(rt.Method) + "-" + strings.Trim(id, "-")
}

// codes are all codes with what they mean.
func codes() map[string]string {
	all := map[string]string{}
	for _, i := range reason.All() {
		all[string(i.Code)] = i.Meaning
	}
	return all
}
