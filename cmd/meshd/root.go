package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/node/config"
)

// program is one execution of the command line.
type program struct {
	in       io.Reader
	out, err io.Writer
	env      []string

	home      string // --home
	file      string // --config
	json      bool
	quiet     bool
	loopback  bool
	logLevel  string
	logFormat string

	flags []config.Flag // of the command that runs, for the layers of config
}

// run executes a command line and returns its exit code.
func (p *program) run(args []string) int {
	ctx, stop := p.signals()
	defer stop()
	root := p.root()
	root.SetArgs(args)
	return p.report(ctx, root.ExecuteContext(ctx))
}

// signals ends the context on the first interrupt or SIGTERM. The second ends
// the process at once: the log is durable at every moment.
func (p *program) signals() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	ch := make(chan os.Signal, 2)
	signal.Notify(ch, os.Interrupt, syscall.SIGTERM)
	go func() {
		for first := true; ; first = false {
			s, open := <-ch
			if !open {
				return
			}
			if !first {
				os.Exit(exitInterrupted)
			}
			cancel(signalled{s})
		}
	}()
	return ctx, func() {
		signal.Stop(ch)
		close(ch)
		cancel(nil)
	}
}

// signalled is why a context ended.
type signalled struct{ signal os.Signal }

func (s signalled) Error() string { return s.signal.String() }

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "meshd",
		Short:         "A node of a mesh of shared knowledge, and its owner's tool",
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          p.knownCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetOut(p.out)
	root.SetErr(p.err)
	root.SetVersionTemplate("meshd {{.Version}}\n")
	root.SetFlagErrorFunc(flagHint)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SuggestionsMinimumDistance = 2

	f := root.PersistentFlags()
	f.StringVar(&p.home, "home", "", "home folder, made by run and init only (default $MESHD_HOME, else the platform's data folder, made by the first writing command too)")
	f.StringVar(&p.file, "config", "", "configuration file (default meshd.yaml in the home)")
	f.BoolVar(&p.json, "json", false, "print JSON with stable names")
	f.BoolVarP(&p.quiet, "quiet", "q", false, "print only what was asked for")
	f.BoolVar(&p.loopback, "loopback", false, "speak to this machine only (also MESHD_LOOPBACK=1)")
	f.StringVar(&p.logLevel, "log-level", "", "debug, info, warn or error")
	f.StringVar(&p.logFormat, "log-format", "", "text or json")

	for _, group := range p.groups() {
		root.AddGroup(&cobra.Group{ID: group.id, Title: group.title})
		for _, c := range group.commands {
			c.GroupID = group.id
			root.AddCommand(c)
		}
	}
	root.AddCommand(&cobra.Command{
		Use: docWorker, Hidden: true, Args: nothing,
		RunE: func(*cobra.Command, []string) error {
			return usage("%s takes no flags: the node starts it by itself", docWorker)
		},
	})
	return root
}

type group struct {
	id, title string
	commands  []*cobra.Command
}

// groups are the commands in the order of the help.
func (p *program) groups() []group {
	return []group{
		{"running", "Running a node:", []*cobra.Command{
			p.cmdRun(), p.cmdInit(), p.cmdDevnet(), p.cmdStatus(), p.cmdPeers(), p.cmdSync(), p.cmdDoctor(), p.cmdMCP(),
			p.cmdStop(), p.cmdConfig(), p.cmdVersion(),
		}},
		{"using", "Using the network:", []*cobra.Command{
			p.cmdContribute(), p.cmdFeed(), p.cmdQuery(), p.cmdEntry(), p.cmdAgents(), p.cmdGuilds(), p.cmdGuild(), p.cmdDomains(),
			p.cmdRegister(), p.cmdID(),
			p.cmdVote(), p.cmdComment(), p.cmdComments(), p.cmdReport(), p.cmdBounty(), p.cmdTeam(), p.cmdWatch(),
		}},
		{"identity", "Identity and capabilities:", []*cobra.Command{p.cmdCap(), p.cmdAttest()}},
		{"language", "The source language:", []*cobra.Command{p.cmdLang()}},
		{"keeping", "Keeping it:", []*cobra.Command{
			p.cmdBackup(), p.cmdRestore(), p.cmdVerify(), p.cmdRepair(), p.cmdReindex(), p.cmdExport(), p.cmdImport(), p.cmdPurge(), p.cmdBlock(), p.cmdModerate(), p.cmdPayment(),
		}},
	}
}

// knownCommand refuses a first word that is no command, with the nearest one.
func (p *program) knownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	near := c.SuggestionsFor(args[0])
	if len(near) == 0 {
		return usage("unknown command %q (see meshd --help)", args[0])
	}
	return usage("unknown command %q; did you mean %s?", args[0], strings.Join(near, " or "))
}

// say prints a line for people, unless -q or --json asked for silence.
func (p *program) say(format string, args ...any) {
	if !p.quiet && !p.json {
		fmt.Fprintf(p.out, format+"\n", args...)
	}
}

func (p *program) getenv(name string) string {
	for _, pair := range p.env {
		if v, ok := strings.CutPrefix(pair, name+"="); ok {
			return v
		}
	}
	return ""
}
