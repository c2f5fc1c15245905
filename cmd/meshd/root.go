package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/agent"
	"github.com/meshd/meshd/cmd/meshd/archive"
	"github.com/meshd/meshd/cmd/meshd/attestation"
	"github.com/meshd/meshd/cmd/meshd/background"
	"github.com/meshd/meshd/cmd/meshd/backup"
	"github.com/meshd/meshd/cmd/meshd/bounty"
	"github.com/meshd/meshd/cmd/meshd/capability"
	"github.com/meshd/meshd/cmd/meshd/connect"
	"github.com/meshd/meshd/cmd/meshd/console"
	"github.com/meshd/meshd/cmd/meshd/contribute"
	"github.com/meshd/meshd/cmd/meshd/guild"
	"github.com/meshd/meshd/cmd/meshd/knowledge"
	"github.com/meshd/meshd/cmd/meshd/language"
	"github.com/meshd/meshd/cmd/meshd/meet"
	"github.com/meshd/meshd/cmd/meshd/network"
	"github.com/meshd/meshd/cmd/meshd/operator"
	"github.com/meshd/meshd/cmd/meshd/release"
	"github.com/meshd/meshd/cmd/meshd/running"
	"github.com/meshd/meshd/cmd/meshd/service"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/shell"
	"github.com/meshd/meshd/cmd/meshd/upgrade"
	"github.com/meshd/meshd/cmd/meshd/visit"
	"github.com/meshd/meshd/cmd/meshd/watch"
)

// run executes a command line and returns its exit code.
func run(s *session.Session, args []string) int {
	ctx, stop := session.Signals()
	defer stop()
	root := root(s)
	root.SetArgs(args)
	return s.Report(ctx, root.ExecuteContext(ctx))
}

func root(s *session.Session) *cobra.Command {
	root := &cobra.Command{
		Use:           "meshd",
		Short:         "A node of a mesh of shared knowledge, and its owner's tool",
		Version:       release.Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          knownCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.SetVersionTemplate("meshd {{.Version}}\n")
	root.SetFlagErrorFunc(session.FlagHint)
	root.SuggestionsMinimumDistance = 2

	f := root.PersistentFlags()
	f.StringVar(&s.Home, "home", "", "home folder, made by run, init and join only (default $MESHD_HOME, else the platform's data folder, made by the first writing command too)")
	f.StringVar(&s.File, "config", "", "configuration file (default meshd.yaml in the home)")
	f.BoolVar(&s.JSON, "json", false, "print JSON with stable names")
	f.BoolVarP(&s.Quiet, "quiet", "q", false, "print only what was asked for")
	f.BoolVar(&s.Loopback, "loopback", false, "speak to this machine only (also MESHD_LOOPBACK=1)")
	f.StringVar(&s.LogLevel, "log-level", "", "what the log has, and what is worse")
	f.StringVar(&s.LogFormat, "log-format", "", "how the log is written")
	session.Choices(root, "log-level", "debug", "info", "warn", "error")
	session.Choices(root, "log-format", "text", "json")

	for _, group := range groups(s) {
		root.AddGroup(&cobra.Group{ID: group.id, Title: group.title})
		for _, c := range group.commands {
			c.GroupID = group.id
			root.AddCommand(c)
		}
	}
	root.AddCommand(&cobra.Command{
		Use: docWorker, Hidden: true, Args: session.Nothing,
		RunE: func(*cobra.Command, []string) error {
			return session.Usage("%s takes no flags: the node starts it by itself", docWorker)
		},
	})
	root.SetHelpCommandGroupID("shell")
	root.SetCompletionCommandGroupID("shell")
	shell.Complete(s, root)
	return root
}

type group struct {
	id, title string
	commands  []*cobra.Command
}

// groups are the commands in the order of the help.
func groups(s *session.Session) []group {
	return []group{
		{"running", "Running a node:", slices.Concat(running.Commands(s), meet.Commands(s), background.Commands(s), console.Commands(s), service.Commands(s), connect.Commands(s))},
		{"using", "Using the network:", slices.Concat(contribute.Commands(s), knowledge.Commands(s), watch.Commands(s), guild.Commands(s), bounty.Commands(s), agent.Commands(s), visit.Commands(s))},
		{"identity", "Identity and capabilities:", slices.Concat(capability.Commands(s), attestation.Commands(s))},
		{"language", "The source language:", language.Commands(s)},
		{"keeping", "Keeping it:", slices.Concat(backup.Commands(s), archive.Commands(s), operator.Commands(s), network.Commands(s), upgrade.Commands(s))},
		{"shell", "For the shell:", shell.Commands(s)},
	}
}

// knownCommand refuses a first word that is no command, with the nearest one.
func knownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	near := c.SuggestionsFor(args[0])
	if len(near) == 0 {
		return session.Usage("unknown command %q (see meshd --help)", args[0])
	}
	return session.Usage("unknown command %q; did you mean %s?", args[0], strings.Join(near, " or "))
}
