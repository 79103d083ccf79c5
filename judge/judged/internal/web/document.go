package web

import (
	"encoding/json"
	"net/http"
	"path"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
)

// config returns the settings of package huma: JSON only, and no routes of its own.
func (w *Web) config() huma.Config {
	return huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{
				Title: "tribunal judged", Version: "1",
				Description: "Grading as a service. Errors are problem documents as of RFC 9457. docs/api.md explains what this document cannot.",
				License:     &huma.License{Name: "See LICENSE"},
			},
			Servers: []*huma.Server{{URL: "/"}},
			Components: &huma.Components{
				Schemas: huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer),
				SecuritySchemes: map[string]*huma.SecurityScheme{"bearer": {
					Type: "http", Scheme: "bearer", Description: "A token. The scopes of which an operation needs one are in x-scopes.",
				}},
			},
			Tags: []*huma.Tag{
				{Name: "judgings", Description: "Submissions and what became of them"},
				{Name: "problems", Description: "Problems and their versions"},
				{Name: "rejudgings", Description: "Judging again, with a preview of what it changes"},
				{Name: "service", Description: "The service itself"},
				{Name: "administration", Description: "Tokens and erasure"},
				{Name: "judge0", Description: "What clients of Judge0 know"},
			},
		},
		Formats:                      map[string]huma.Format{jsonType: jsonFormat, "json": jsonFormat, "application/yaml": courseFormat},
		DefaultFormat:                jsonType,
		RejectUnknownQueryParameters: true,
	}
}

// document returns the OpenAPI document. It is called once, when all operations are known.
func (w *Web) document() []byte {
	lenient(w.api.OpenAPI())
	text, err := json.MarshalIndent(w.api.OpenAPI(), "", "  ")
	if err != nil {
		panic("web: " + err.Error()) // the document is made of the program's own types
	}
	for _, s := range w.api.OpenAPI().Components.Schemas.Map() {
		for _, p := range s.Properties {
			p.ContentEncoding = "" // only described: package huma would refuse a text of no bytes, and decoding checks it anyway
		}
	}
	return append(text, '\n')
}

// alsoReturns documents that an operation may succeed with any of the statuses. The operation has the first
// already.
func alsoReturns(op huma.Operation, statuses []int) {
	for _, s := range statuses {
		r := *op.Responses[strconv.Itoa(statuses[0])]
		r.Description = http.StatusText(s)
		op.Responses[strconv.Itoa(s)] = &r
	}
}

// lenient allows further fields in what only answers hold, because later versions may add some.
func lenient(api *huma.OpenAPI) {
	asked := map[string]bool{}
	var visit func(*huma.Schema)
	visit = func(s *huma.Schema) {
		if s == nil {
			return
		}
		if name := path.Base(s.Ref); s.Ref != "" && !asked[name] {
			asked[name] = true
			visit(api.Components.Schemas.SchemaFromRef(s.Ref))
		}
		visit(s.Items)
		for _, p := range s.Properties {
			visit(p)
		}
	}
	for _, item := range api.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Put, item.Post, item.Delete} {
			if op != nil && op.RequestBody != nil {
				for _, m := range op.RequestBody.Content {
					visit(m.Schema)
				}
			}
		}
	}
	for name, s := range api.Components.Schemas.Map() {
		if !asked[name] {
			s.AdditionalProperties = nil
		}
	}
}

// OpenAPI returns the OpenAPI document of the API, in JSON. The caller does not change it.
func (w *Web) OpenAPI() []byte { return w.spec }

func (w *Web) getOpenAPI(rw http.ResponseWriter, _ *http.Request) error {
	rw.Header().Set("Content-Type", jsonType)
	_, err := rw.Write(w.spec)
	return gone(err)
}

// gone drops the error of writing to a client, who then does not get the rest.
func gone(error) error { return nil }

var parameter = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{([a-z0-9]+)\}`) })

// pathParameters documents the parameters in the path of an operation.
func pathParameters(op *huma.Operation) {
	for _, m := range parameter().FindAllStringSubmatch(op.Path, -1) {
		op.Parameters = append(op.Parameters, &huma.Param{Name: m[1], In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString}})
	}
}

func queryParameter(op *huma.Operation, name, kind, doc string) {
	op.Parameters = append(op.Parameters, &huma.Param{Name: name, In: "query", Description: doc, Schema: &huma.Schema{Type: kind}})
}

// addProblem documents that an operation may fail.
func addProblem(api huma.API, op *huma.Operation) {
	if op.Responses == nil {
		op.Responses = map[string]*huma.Response{}
	}
	op.Responses["default"] = &huma.Response{
		Description: "Error",
		Content:     map[string]*huma.MediaType{problemJSON: {Schema: schemaOf[Problem](api)}},
	}
}

func schemaOf[T any](api huma.API) *huma.Schema {
	return api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[T](), true, "")
}

// returns documents an operation with a body of a media type.
func returns(mediaType, doc string) func(huma.API, *huma.Operation) {
	return func(_ huma.API, op *huma.Operation) {
		pathParameters(op)
		s := &huma.Schema{Type: huma.TypeString}
		if strings.HasSuffix(mediaType, "json") {
			s = &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
		}
		op.Responses = map[string]*huma.Response{"200": {Description: doc, Content: map[string]*huma.MediaType{mediaType: {Schema: s}}}}
	}
}

func returnsResult(api huma.API, op *huma.Operation) {
	returns(jsonType, "The result, see docs/api.md")(api, op)
	queryParameter(op, "judging", huma.TypeInteger, "the number of the judging; by default the one that counts")
}

// streams documents an operation with server-sent events.
func streams(doc string) func(huma.API, *huma.Operation) {
	return func(_ huma.API, op *huma.Operation) {
		pathParameters(op)
		op.Parameters = append(op.Parameters, &huma.Param{
			Name: "Last-Event-ID", In: "header", Schema: &huma.Schema{Type: huma.TypeInteger},
			Description: "the id of the last event that the client has; events up to it are not sent",
		})
		op.Responses = map[string]*huma.Response{
			"101": {Description: "A WebSocket, if the client asks for it. Each message is an object with event, id and data."},
			"200": {Description: doc, Content: map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: huma.TypeString}}}},
		}
		if strings.Contains(op.Path, "{") {
			op.Responses["204"] = &huma.Response{Description: "Nothing will happen any more, and the client knows everything"}
		}
	}
}

func streamsAll(api huma.API, op *huma.Operation) {
	streams("Events, until the client goes away")(api, op)
	queryParameter(op, "submitter", huma.TypeString, "Only of this submitter.")
	queryParameter(op, "problem", huma.TypeString, "Only of this problem, as id or id@version.")
}

// streamsBatch documents the stream of lines in both directions.
func streamsBatch(api huma.API, op *huma.Operation) {
	const lines = "application/x-ndjson"
	op.Parameters = append(op.Parameters, &huma.Param{
		Name: "Idempotency-Key", In: "header", Required: true, Schema: &huma.Schema{Type: huma.TypeString, MaxLength: new(maxKey - 129)},
		Description: "A line with the same keys is the same judging, however often it is sent.",
	})
	op.RequestBody = &huma.RequestBody{Required: true, Description: "Lines", Content: map[string]*huma.MediaType{lines: {Schema: schemaOf[BatchLine](api)}}}
	op.Responses = map[string]*huma.Response{"200": {Description: "Lines", Content: map[string]*huma.MediaType{lines: {Schema: schemaOf[BatchEvent](api)}}}}
}
