package gate

import (
	"strings"

	"github.com/meshd/meshd/crdt/reason"
)

// mark is a sign of a transcript. A text whose signs weigh dumpWeight or more
// is one.
type mark struct {
	kind   string
	weight int
	re     *pattern
}

const dumpWeight = 2

var marks = []mark{
	{"role-turn", 1, expr(`(?im)^[ \t>*_#\[-]*(?:user|human|assistant|system|ai)(?:[ ]?[(\[][^)\]\n]{0,40}[)\]])?[\]*_]*[ ]?:`)},
	{"chat-template", 1, expr(`(?m)<\|im_start\|>(?:user|assistant|system|tool)?[ \t]*$|<\|im_end\|>[ \t]*$|^<\|(?:start_header_id|eot_id|end_of_turn|start_of_turn|user|assistant|system)\|>|^[ \t]*\[/?INST\]`)},
	{"role-message", 1, expr(`"role"\s*:\s*"(?:user|assistant|system|tool|developer|function)"\s*,[^{}]{0,400}?"content"\s*:|"content"\s*:\s*"[^"\n]*"\s*,[^{}]{0,400}?"role"\s*:\s*"(?:user|assistant|system|tool|developer|function)"`)},
	{"tool-call", 1, expr(`"type"\s*:\s*"(?:tool_use|tool_result|function_call|function_call_output|tool_call)"|"tool_calls"\s*:\s*\[|"tool_use_id"\s*:|"tool_call_id"\s*:`)},
	{"tool-call", 1, expr(`(?m)^[ \t]*(?:</?(?:antml:)?(?:function_calls|invoke|tool_call|tool_result|tool_use|function_results|tool_response)\b[^>\n]*>|(?:Tool|Function) (?:call|use|result|output)[^:\n]{0,40}:|(?:⏺|●) ?[A-Z]\w*\(|⎿ )`)},
	{"event-line", 1, expr(`(?m)^[ \t]*\{[^\n]*"timestamp"\s*:[^\n]*"type"\s*:[^\n]*\}?[ \t]*,?$|^[ \t]*\{[^\n]*"type"\s*:[^\n]*"timestamp"\s*:[^\n]*\}?[ \t]*,?$`)},
	{"console-line", 2, expr(`(?m)^[ \t]*(?:Chunk ID: [0-9a-fA-F]+|Wall time: [\d.]+ ?(?:s|sec|seconds|ms)|Original token count: \d+|Process running with session ID \d+)[ \t]*$`)},
	{"console-line", 1, expr(`(?m)^[ \t]*(?:(?:Total )?[Tt]okens?(?: used| usage| count)?: ?(?:total=)?[\d,]+|Token usage: .*\d+.*|Output:|(?:Exit code:|Process exited with code) -?\d+|Duration: [\d.]+ ?m?s)[ \t]*$`)},
}

// agentTurn are further names of the machine in a dialogue; they count beside a
// turn of a person only, since a note may well begin with "Codex:".
var (
	agentTurn  = expr(`(?im)^[ \t>*_#\[-]*(?:claude|chatgpt|gpt(?:-[\w.]+)?|gemini|copilot|codex|cursor|bot|model|agent|grok)[\]*_]*[ ]?:`)
	personTurn = expr(`(?im)^[ \t>*_#\[-]*(?:me|you|user|human|customer|operator|developer)[\]*_]*[ ]?:`)
)

// sessionDump reports a transcript: one finding, at its first sign.
func sessionDump(v view) []Finding {
	weight, first, kind := 0, []int{len(v.text), len(v.text)}, ""
	whole := strings.HasPrefix(strings.TrimSpace(v.text), "{") || strings.HasPrefix(strings.TrimSpace(v.text), "[{")
	for _, m := range marks {
		found := m.re.FindAllStringIndex(v.text, dumpWeight)
		if len(found) == 0 {
			continue
		}
		weight += len(found) * m.weight
		if whole && (m.kind == "role-message" || m.kind == "tool-call") {
			weight += dumpWeight // nothing but the message
		}
		if found[0][0] < first[0] {
			first, kind = found[0], m.kind
		}
	}
	if weight < dumpWeight {
		person, agent := personTurn.FindStringIndex(v.text), agentTurn.FindStringIndex(v.text)
		if person == nil || agent == nil {
			return nil
		}
		first, kind = person, "dialogue"
	}
	offset, length := v.place(first[0], first[1])
	return []Finding{{Code: reason.RawSessionDump, Field: "content", Offset: offset, Length: length, Kind: kind}}
}
