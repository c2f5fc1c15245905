package gate

import (
	"strings"
	"unicode/utf8"

	"github.com/meshd/meshd/crdt/reason"
)

// commands are the words that make "# word" a root prompt instead of a heading,
// and "+ word" a traced command instead of a list item.
const commands = `(?:sudo|apt(?:-get)?|yum|dnf|apk|brew|npm|npx|yarn|pnpm|pip3?|python3?|node|go|cargo|make|cmake|git|docker(?:-compose)?|kubectl|helm|systemctl|service|journalctl|cd|ls|cat|cp|mv|rm|mkdir|chmod|chown|curl|wget|ssh|scp|tar|grep|sed|awk|echo|export|source|tail|head|ps|kill|mount|df|du|ip|iptables|psql|mysql|redis-cli|terraform|ansible|set)\b`

// logHead matches the head of a line that a program or a terminal wrote. One
// anchored expression, so that prose costs a few characters a line.
var logHead = expr("^(?:" + strings.Join([]string{
	// prompts and traces
	`\s*\$ \S`, `\s*# ` + commands, `\s*\+{1,3} (?:` + commands + `|[A-Z_]+=)`, `\s*% ` + commands,
	`\s*(?:\([\w.-]+\) )?\[?[\w.-]+@[\w.-]+[: ][^\n]{0,80}?[$#%>](?: |$)`, `\s*PS [A-Z]:\\[^>]*>`, `[A-Z]:\\[^>]*>`,
	`>>> `, `In \[\d+\]:`, `Out\[\d+\]:`, `(?:mysql|postgres|[\w-]+)(?:=#|=>|> ) ?(?i:select|insert|show|\\d)`,
	// times and levels
	`\s*\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d`, `\s*\[?\d\d:\d\d:\d\d\b`, `(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d:\d\d `,
	`\[ *\d+\.\d{3,6}\] `, `[IWEF]\d{4} \d\d:\d\d:\d\d`, `(?:time|ts|level)=\S+ `, `\s*\{"(?:level|ts|time|msg|severity)":`, `\s*\{"timestamp":.*"(?:level|severity|msg)":`, `\S+ \S+ \S+ \[\d\d/\w{3}/\d{4}`,
	`\s*\[(?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL|TRACE|notice|error|warn|info|debug)\]`, `(?:INFO|WARN|ERROR|DEBUG|TRACE|FATAL)[ :]+\[?[\w.-]+[\]:]`, `\S+ *\| +(?:\[|\d{4}-|\$|INFO|WARN|ERROR|LOG|\S+ ready)`,
	// frames
	`\s+at \S.*(?:\(.*\)|:\d+)$`, `\s*File ".*", line \d+`, `Traceback \(most recent call last\)`, `goroutine \d+ \[`, `\s+\S+\.go:\d+(?: \+0x|$)`,
	`\s*\.\.\. \d+ more`, `Caused by: `, `thread '.*' panicked at`, `panic: `, `\s*\d+: +0x[0-9a-f]+ - `, `#\d+\s+0x[0-9a-f]+ in `, `\s+from \S+:\d+:in `, `stack backtrace:`,
	`[\w./*()]+\((?:0x[0-9a-f]+|\{0x|\.\.\.)[^)]*\)$`, `created by \S+`, `Exception in thread `, `(?:[a-z]+\.)+[A-Z]\w*(?:Exception|Error)(?::|$)`, `[A-Z]\w*(?:Error|Exception): `,
	// diffs
	`@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@`, `diff --git `, `index [0-9a-f]{7,}\.\.[0-9a-f]{7,}`, `(?:---|\+\+\+) (?:[ab]/|/dev/null)`, `(?:new|deleted) file mode \d+`,
	// tools
	`npm (?:ERR!|WARN|error|warn|notice)`, `yarn (?:run|error|info|warning)`, `(?:ok|FAIL|PASS|---) {1,4}\S*(?:/|: )\S+`, `=== RUN `, `(?:PASS|FAIL)$`, `exit status \d+`, `\?? {2,}\t?\S+\t\[no test files\]`,
	`(?:make|make\[\d+\]): (?:\*\*\*|Entering|Leaving)`, `\s*(?i:(?:process )?exited? (?:with )?(?:code|status)|exit code)[: ]+-?\d+`,
	`[dlcbps-](?:[r-][w-][xsStT-]){3}[.+@]?\s`, `total \d+[KMG]?$`,
	`Step \d+/\d+ :`, `#\d+ (?:\[|\d+\.\d+ |DONE|CACHED|sha256:)`, ` ?=> (?:\[|=>|CACHED|ERROR|exporting|naming|transferring)`, ` ---> `, `Sending build context`, `(?:Removing intermediate container|Successfully (?:built|tagged) )`,
	`(?:remote: |Counting objects|Compressing objects|Receiving objects|Resolving deltas|Unpacking objects|Writing objects|Enumerating objects|Total \d+ \(delta|commit [0-9a-f]{40}$|On branch |Your branch is|Fast-forward$|\s+[0-9a-f]{7,}\.\.[0-9a-f]{7,} )`,
	`\s*\S+\.(?:go|tsx?|jsx?|py|c|cc|cpp|h|rs|java|rb)(?::\d+){1,2}:? `, `\s*\S+\.(?:go|tsx?|jsx?|py|c|cc|cpp|h|rs|java|cs)\(\d+,\d+\): `, `(?:error|warning)(?:\[E\d+\]| TS\d+)?: `, `\s*--> \S+:\d+:\d+`, `\s*\d+ \| `, `\s*\|\s+\^`, `fatal: `,
	`(?:Collecting|Downloading|Using cached|Installing collected packages|Successfully installed|Requirement already satisfied|Building wheel|Get:\d+|Hit:\d+|Ign:\d+|Reading package lists|Reading state information|Building dependency tree|Setting up \S+ \(|Unpacking \S+ \(|Preparing to unpack|Selecting previously|Processing triggers|Fetched \d|added \d+ packages|up to date, audited|found \d+ vulnerabilities)`,
	`\s+(?:Compiling|Finished|Running|Downloaded|Checking|Updating|Blocking) \S+`, `running \d+ tests?$`, `test \S+ \.\.\. (?:ok|FAILED|ignored)`, `test result: `, `\s*(?:✓|✔|✗|✘|×|✕) \S.*(?:\(\d+ ?ms\)|$)`, `(?:Tests?|Test Suites|Snapshots|Time|Test Files|Duration): +\d`,
	`(?:-?bash|sh|zsh|fish|/bin/\w+|/usr/bin/\w+): .*(?:not found|No such file|denied|line \d+)`, `(?:curl|wget|ssh|tar|ls|cat|rm|cp|mv|grep): \(?\S`, `[<>] (?:HTTP/|(?:GET|POST|PUT|HEAD|PATCH|DELETE) /|(?i:host|user-agent|accept|server|date|location|retry-after|cache-control|content-[a-z]+|x-[a-z-]+|connection|vary|set-cookie): )`, `\* (?:Connected|TLS|ALPN|Trying|SSL|Host |Closing|Using HTTP|Server cert|Mark bundle|Request completely|\s*subject|Connection #)`,
	`HTTP/[\d.]+ \d{3}`, `(?:PING |\d+ bytes from |--- .* ping statistics)`, `(?:NAME|CONTAINER ID|PID|USER|REPOSITORY|Filesystem) +[A-Z]`, `(?:tcp|udp)6? +\d+ +\d+ `, `\S+ +\d+/\d+ +(?:Running|CrashLoopBackOff|Pending|Error|Completed|ImagePullBackOff) `,
	`(?:Active|Loaded|Main PID|CGroup|Tasks): `, `(?:LOG|FATAL|ERROR|HINT|DETAIL|STATEMENT): {2}`,
}, "|") + ")")

// progress matches a drawn bar or a rate of transfer, wherever it stands.
var progress = expr(`\d{1,3}% ?[|\[]|[=#█▓░━]{8,}|\[[=#>. -]{10,}\]|\d{1,3}%\||\b\d+(?:\.\d+)?[kKMG]i?B/s\b.*\d{1,2}:\d\d`)

// isLog reports a line of a log or a terminal.
func isLog(line string) bool {
	if logHead.MatchString(line[:min(len(line), maxLogHead)]) {
		return true
	}
	return strings.ContainsAny(line, "=#%█▓░━/") && len(line) <= maxLogHead && progress.MatchString(line)
}

var (
	ansi     = expr(`\x1b[\[\]()][0-9;?]*[A-Za-z]?|\x{9b}[0-9;]*[A-Za-z]`)
	diffHead = expr(`^(?:diff --git |@@ -\d)`)
)

// shellLog reports terminal output: any escape sequence, a line that redraws
// itself, five log lines in a row, or a text most of which is log lines. One
// finding, from the first such line to the end of its run.
func shellLog(v view) []Finding {
	if m := ansi.FindStringIndex(v.text); m != nil {
		return logFinding(v, "ansi-escape", m[0], m[1])
	}
	if i := redraw(v.text); i >= 0 {
		return logFinding(v, "redrawn-line", i, i+1)
	}
	var n tally
	run, runStart, offset := 0, 0, 0
	inDiff := false
	for raw := range strings.Lines(v.text) {
		from := offset
		offset += len(raw)
		line := strings.TrimRight(raw, " \t\r\n")
		body := strings.TrimLeft(line, " \t")
		if body == "" {
			continue
		}
		if fence(body) {
			inDiff = false
			continue
		}
		inDiff = inDiff || diffHead.MatchString(line)
		if !isLog(line) && !(inDiff && (line[0] == '+' || line[0] == '-')) {
			n.addProse(body)
			run = 0
			continue
		}
		if run == 0 {
			runStart = from
		}
		n.addLog(body, from, from+len(line))
		run++
		if run >= logRun {
			return logFinding(v, "log-run", runStart, from+len(line))
		}
	}
	if n.mostlyLog() {
		return logFinding(v, "log-share", n.from, n.to)
	}
	return nil
}

// tally counts the lines of a text.
type tally struct {
	logs, prose  int  // prose weighs a line for each proseWidth characters
	sentences    int  // prose lines that read as a sentence
	logSentences int  // log lines that do
	logFirst     bool // the first line is a log line
	logLast      bool // the last one is
	from, to     int  // the first log line
}

func (n *tally) addProse(body string) {
	n.prose += 1 + (utf8.RuneCountInString(body)-1)/proseWidth
	n.logLast = false
	if readsAsSentence(body) {
		n.sentences++
	}
}

func (n *tally) addLog(body string, from, to int) {
	if n.logs == 0 {
		n.from, n.to = from, to
		n.logFirst = n.prose == 0
	}
	n.logs++
	n.logLast = true
	if readsAsSentence(body) {
		n.logSentences++
	}
}

// mostlyLog judges by the share of log lines. Fewer than minLogLines are a
// quotation when prose stands around them, and prose when they read like it.
func (n *tally) mostlyLog() bool {
	if n.logs == 0 || 100*n.logs < logShare*(n.logs+n.prose) {
		return false
	}
	if n.logs >= minLogLines {
		return true
	}
	framed := n.logs > 1 && n.logFirst && n.logLast
	return n.logSentences < n.logs && (n.sentences == 0 || framed)
}

// readsAsSentence reports a line that someone wrote: eight words and a full stop.
func readsAsSentence(s string) bool {
	return strings.HasSuffix(strings.TrimRight(s, "`\"')"), ".") && len(strings.Fields(s)) >= 8
}

// fence reports the marker of a code block, which is no line of a shell log.
func fence(s string) bool { return strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~") }

// redraw finds a carriage return that goes back over its line, as progress bars do.
func redraw(text string) int {
	for i := 0; i < len(text)-1; i++ {
		if text[i] == '\r' && text[i+1] != '\n' && text[i+1] != '\r' {
			return i
		}
	}
	return -1
}

func logFinding(v view, kind string, from, to int) []Finding {
	offset, length := v.place(from, to)
	return []Finding{{Code: reason.ShellLog, Field: "content", Offset: offset, Length: length, Kind: kind}}
}
