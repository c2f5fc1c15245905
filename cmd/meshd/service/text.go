package service

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/meshd/meshd/cmd/meshd/session"
)

const (
	unitName  = "meshd.service"
	agentName = "io.github.meshd.meshd"
)

// systemd is the user unit that runs a command line. See systemd.service(5).
func systemd(args []string, user, config string) manager {
	var line strings.Builder
	for i, a := range args {
		if i > 0 {
			line.WriteByte(' ')
		}
		line.WriteString(unitWord(a))
	}
	return manager{
		file: filepath.Join(cmp.Or(config, filepath.Join(user, ".config")), "systemd", "user", unitName),
		text: "# written by meshd service install\n" +
			"[Unit]\nDescription=meshd, a node of a mesh of shared knowledge\n" +
			"# Tries for as long as it takes: a disk may come back after hours.\nStartLimitIntervalSec=0\n\n" +
			"[Service]\nExecStart=" + line.String() + "\n" +
			"# Reads the live settings again.\nExecReload=/bin/kill -HUP $MAINPID\nRestart=on-failure\nRestartSec=5\n" +
			"# These faults do not mend themselves.\nRestartPreventExitStatus=" + strings.Join(session.LastingCodes(), " ") + "\n" +
			fmt.Sprintf("SuccessExitStatus=%d\nTimeoutStopSec=%d\n", session.ExitInterrupted, int(session.StopWithin.Seconds())+5) +
			"NoNewPrivileges=yes\nUMask=0077\n\n" +
			"[Install]\nWantedBy=default.target\n",
		start:  []string{"systemctl --user daemon-reload", "systemctl --user enable --now " + unitName},
		stop:   []string{"systemctl --user disable --now " + unitName},
		answer: "systemctl --user show-environment",
	}
}

// unitWord is a word of a command line of a unit: quoted, with no specifier, variable or
// escape in it.
func unitWord(word string) string {
	word = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "$", "$$").Replace(word)
	if strings.ContainsAny(word, " '\"\\;") || word == "" {
		return `"` + word + `"`
	}
	return word
}

// launchd is the agent that runs a command line. See launchd.plist(5).
func launchd(args []string, user string, uid int) manager {
	var words bytes.Buffer
	for _, a := range args {
		words.WriteString("\t\t<string>")
		_ = xml.EscapeText(&words, []byte(a)) // into memory
		words.WriteString("</string>\n")
	}
	file := filepath.Join(user, "Library", "LaunchAgents", agentName+".plist")
	return manager{
		file: file,
		text: xml.Header + `<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- written by meshd service install -->
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>` + agentName + `</string>
	<key>ProgramArguments</key>
	<array>
` + words.String() + `	</array>
	<key>RunAtLoad</key>
	<true/>
	<key>KeepAlive</key>
	<dict>
		<key>SuccessfulExit</key>
		<false/>
	</dict>
	<key>ThrottleInterval</key>
	<integer>5</integer>
	<key>ProcessType</key>
	<string>Background</string>
	<key>Umask</key>
	<integer>63</integer>
</dict>
</plist>
`,
		start:  []string{fmt.Sprintf("launchctl bootstrap gui/%d ", uid) + file},
		stop:   []string{fmt.Sprintf("launchctl bootout gui/%d/%s", uid, agentName)},
		answer: fmt.Sprintf("launchctl print gui/%d", uid),
	}
}
