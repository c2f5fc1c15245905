package instance

import (
	"io"
	"log/slog"
	"os"

	golog "github.com/ipfs/go-log/v2"
	"github.com/libp2p/go-libp2p/gologshim"

	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/redact"
)

// NewLog makes the log of the process. least is the lowest level written
// whatever the settings ask for.
func NewLog(w io.Writer, cfg config.Log, least slog.Level) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(cfg.Level)); err != nil {
		level = slog.LevelInfo // Validate has refused anything else
	}
	opts := &slog.HandlerOptions{Level: max(level, least)}
	var h slog.Handler = slog.NewTextHandler(w, opts)
	if cfg.Format == "json" {
		h = slog.NewJSONHandler(w, opts)
	}
	return slog.New(redact.Handler(h))
}

// QuietLibraries silences the logs that the network libraries write by
// themselves, unless the variable their own documentation names asks for them.
func QuietLibraries() {
	if os.Getenv("GOLOG_LOG_LEVEL") != "" {
		return
	}
	gologshim.SetDefaultHandler(slog.DiscardHandler)
	golog.SetAllLoggers(golog.LevelFatal)
}
