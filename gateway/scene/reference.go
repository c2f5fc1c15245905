package scene

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/docs"
	"github.com/meshd/meshd/examples"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/trait"
)

// The addresses of what is known of the language.
const (
	ReferenceURI    = "lang://reference"
	ReferencePrefix = ReferenceURI + "/"
	TraitsURI       = "lang://traits"
	TargetsURI      = "lang://targets"
	ExamplePrefix   = "lang://example/"
)

// Media types of what is made and served.
const (
	jsonType     = "application/json"
	markdownType = "text/markdown"
	sourceType   = "text/plain"
)

// Topic is a section of the page about the language.
type Topic struct {
	Name  string `json:"topic"`
	Title string `json:"title"`
	Bytes int    `json:"bytes"`
	URI   string `json:"uri"`

	text string
}

var topicNumber = regexp.MustCompile(`^[0-9]+\. `)

// topics are the sections of docs/language.md, whose examples a test compiles and runs.
var topics = sync.OnceValue(func() []Topic {
	var out []Topic
	for i, part := range strings.Split("\n"+docs.Language, "\n### ") {
		if i == 0 {
			continue // what stands before the first section
		}
		title, _, _ := strings.Cut(part, "\n")
		part, _, _ = strings.Cut(part, "\n## ")
		title = topicNumber.ReplaceAllString(title, "")
		name := slug(title)
		text := "### " + strings.TrimSpace(part) + "\n"
		out = append(out, Topic{name, title, len(text), ReferencePrefix + name, text})
	}
	return out
})

// slug is a title as an address has it.
func slug(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	return strings.Join(words, "-")
}

// TopicRequest names a topic of the reference, or words of examples.
type TopicRequest struct {
	call.Request
	Topic  string `field:"topic"`
	Inline bool   `field:"inline"`
}

// The forms of what is asked about the language.
var (
	// ReferenceForm reads what get_syntax_reference is asked.
	ReferenceForm = call.Define[TopicRequest](call.Form{
		{Name: "topic", Max: maxTopic, Help: "A topic of the list that comes without one, such as values-that-follow-from-others."}, InlineField})
	// ExamplesForm reads what get_examples is asked.
	ExamplesForm = call.Define[TopicRequest](call.Form{
		{Name: "topic", Max: maxTopic, Help: "The name of an example, or words that its line in the list contains, such as robot or lift.hsplus."}, InlineField})
)

// ReferenceReply is a part of the reference with all topics that there are.
type ReferenceReply struct {
	Topic  string  `json:"topic,omitempty"`
	Text   string  `json:"text" doc:"Markdown; without a topic the first steps"`
	Topics []Topic `json:"topics"`
	URI    string  `json:"uri" doc:"where the whole page is"`
}

// ReferenceOf is a section of the page about the language; without a topic the first
// two steps of its walk.
func ReferenceOf(r TopicRequest) (*ReferenceReply, error) {
	all := topics()
	out := &ReferenceReply{Topics: all, URI: ReferenceURI}
	if r.Topic == "" {
		if out.Text = all[0].text + "\n" + all[1].text; r.Inline {
			out.Text = docs.Language
		}
		return out, nil
	}
	t, err := topicOf(r.Topic)
	if err != nil {
		return nil, err
	}
	out.Topic, out.Text = t.Name, t.text
	return out, nil
}

func topicOf(name string) (Topic, error) {
	var names []string
	for _, t := range topics() {
		if t.Name == slug(name) {
			return t, nil
		}
		names = append(names, t.Name)
	}
	none := reason.Refuse(reason.NotFound, "the reference has no topic %q", call.Clip(name, maxTopic)).With(map[string]any{"topics": names})
	if near, ok := trait.Nearest(slug(name), names); ok {
		none.Details["nearest"] = []string{near}
	}
	return Topic{}, none
}

// ReferencePage is the page about the language, or a section of it.
func ReferencePage(topic string) (Made, error) {
	if topic == "" {
		return Made{Data: []byte(docs.Language), MediaType: markdownType}, nil
	}
	t, err := topicOf(topic)
	return Made{Data: []byte(t.text), MediaType: markdownType}, err
}

// Example is a source of the folder of examples.
type Example struct {
	Name    string   `json:"name"`
	Format  string   `json:"format" enum:"holo,hs,hsplus"`
	Summary string   `json:"summary"`
	Targets []string `json:"targets" doc:"what it is for; all: every target that has a place for it"`
	Lines   int      `json:"lines"`
	Bytes   int      `json:"bytes"`
	URI     string   `json:"uri"`

	text string
}

// exampleRow is a row of the table of examples/README.md: names and what they are.
var exampleRow = regexp.MustCompile("(?m)^\\| (`[^|]+`) \\| (.+) \\|$")

// exampleTargets says in a source what it is for.
var exampleTargets = regexp.MustCompile(`(?m)^// targets: (.+)$`)

// allExamples are the sources of the folder with what its README says of them.
var allExamples = sync.OnceValue(func() []Example {
	readme, err := examples.Files.ReadFile("README.md")
	if err != nil {
		panic("scene: " + err.Error()) // it is in the program
	}
	about := map[string]string{}
	for _, row := range exampleRow.FindAllStringSubmatch(string(readme), -1) {
		for name := range strings.SplitSeq(row[1], ", ") {
			about[strings.Trim(name, "`/")] = row[2]
		}
	}
	var out []Example
	err = fs.WalkDir(examples.Files, ".", func(at string, d fs.DirEntry, err error) error {
		format, source := ast.FormatOf(at)
		if err != nil || d.IsDir() || !source {
			return err
		}
		raw, err := examples.Files.ReadFile(at)
		if err != nil {
			return err
		}
		f := parseSource(string(raw), format).file // whatever its encoding
		e := Example{Name: at, Format: format.String(), Summary: about[at], Targets: []string{}, text: f.Text(), URI: ExamplePrefix + at}
		if folder, _, below := strings.Cut(at, "/"); below {
			e.Summary = about[folder]
		}
		if m := exampleTargets.FindStringSubmatch(e.text); m != nil {
			e.Targets = strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ' ' || r == '\r' })
		}
		e.Lines, e.Bytes = 1+strings.Count(strings.TrimSuffix(e.text, "\n"), "\n"), len(e.text)
		out = append(out, e)
		return nil
	})
	if err != nil {
		panic("scene: " + err.Error())
	}
	return out
})

// ExamplesReply is a list of examples, and one of them in full.
type ExamplesReply struct {
	Examples   []Example `json:"examples"`
	Count      int       `json:"count"`
	Code       string    `json:"code,omitempty" doc:"of the one that was asked for, where it is short or was asked for inline"`
	FirstLines string    `json:"first_lines,omitempty" doc:"of a code that is not here"`
}

// ExamplesOf lists the examples that have all words, and shows the one that is named or
// that alone fits.
func ExamplesOf(r TopicRequest) (*ExamplesReply, error) {
	out := &ExamplesReply{Examples: []Example{}}
	words := strings.Fields(strings.ToLower(r.Topic))
	for _, e := range allExamples() {
		text := strings.ToLower(e.Name + " " + e.Summary)
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			out.Examples = append(out.Examples, e)
		}
	}
	if e, err := exampleOf(r.Topic); err == nil {
		out.Examples = []Example{e}
	}
	if out.Count = len(out.Examples); out.Count == 0 {
		_, err := exampleOf(r.Topic)
		return nil, err
	}
	if out.Count == 1 {
		if text := out.Examples[0].text; r.Inline || len(text) <= maxExample {
			out.Code = text
		} else {
			out.FirstLines = firstLines(text)
		}
	}
	return out, nil
}

// exampleOf is the example of a name, with or without its ending.
func exampleOf(name string) (Example, error) {
	var names []string
	for _, e := range allExamples() {
		if e.Name == name || strings.TrimSuffix(e.Name, path.Ext(e.Name)) == name {
			return e, nil
		}
		names = append(names, e.Name, strings.TrimSuffix(e.Name, path.Ext(e.Name)))
	}
	none := reason.Refuse(reason.NotFound, "there is no example %q", call.Clip(name, maxTopic))
	none.Hint = "get_examples without a topic lists them"
	if near, ok := trait.Nearest(name, names); ok {
		none = none.With(map[string]any{"nearest": []string{near}})
	}
	return Example{}, none
}

// ExampleSource is an example as it stands in its file.
func ExampleSource(name string) (Made, error) {
	e, err := exampleOf(name)
	return Made{Data: []byte(e.text), MediaType: sourceType}, err
}

// ExampleNames are those that begin so.
func ExampleNames(begun string) (out []string) {
	for _, e := range allExamples() {
		if strings.HasPrefix(e.Name, begun) {
			out = append(out, e.Name)
		}
	}
	return out
}

// TopicNames are those that begin so.
func TopicNames(begun string) (out []string) {
	for _, t := range topics() {
		if strings.HasPrefix(t.Name, begun) {
			out = append(out, t.Name)
		}
	}
	return out
}

// beside is the link to an example.
func (e Example) beside() endpoint.Attachment {
	return endpoint.Attachment{URI: e.URI, Name: e.Name, MediaType: sourceType, Size: e.Bytes, Help: fmt.Sprintf("%d lines: %s", e.Lines, e.Summary)}
}
