package node

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/meshd/meshd/node/backup"
)

// BackupSecret is the purpose of the secret that seals a backup.
const BackupSecret = "backup"

// Backup writes the whole home as it is now, while the node goes on. state copies
// the state's database to a file; it is nil when the state lies elsewhere, and
// where then says where.
func (n *Node) Backup(ctx context.Context, w io.Writer, state func(ctx context.Context, path string) error, where string) (backup.End, error) {
	cfg := n.Config()
	secret, err := n.Secret(BackupSecret)
	if err != nil {
		return backup.End{}, err
	}
	src := backup.Source{
		Home: n.Opt.Home, Store: n.Opt.Home.Resolve(cfg.Storage.Dir), Secret: secret, State: state,
		Header: backup.Header{
			Made: n.Opt.Now().UTC().Truncate(time.Second), Program: n.Opt.Version, Network: n.Judge.Net().String(), Node: n.SelfID.String(),
			Shards: n.Judge.Genesis().Shards, Changes: n.Log.LastSeq(), State: where, Keys: []string{},
		},
		Log: func(ctx context.Context, visit func(string, []byte) error) error {
			return n.Engine.Scan(ctx, "/", "/\x7f", visit)
		},
	}
	if cfg.Log.Access != "" {
		src.Leave = append(src.Leave, n.Opt.Home.Resolve(cfg.Log.Access))
	}
	if id, ok := n.Owner(); ok {
		src.Header.Owner = id.String()
	}
	for _, k := range n.Local.All() {
		if n.Local.IsShared(k) {
			continue // it lies in the book, which knows how far its chains go
		}
		src.Header.Keys = append(src.Header.Keys, k.String())
	}
	end, err := backup.Write(ctx, w, src)
	if err != nil {
		return end, fmt.Errorf("back up: %w", err)
	}
	return end, nil
}
