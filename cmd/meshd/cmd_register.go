package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/gateway/owner"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/node/store"
)

func (p *program) cmdRegister() *cobra.Command {
	var gateway string
	c := &cobra.Command{
		Use: "register NAME", Short: "Name the owner's agent, or make one more", Args: one("name"),
		Long: "Name the owner's agent while it has its first name; afterwards, make one more agent on this node. With\n" +
			"--gateway URL, make an agent on that gateway. A new agent's API key is printed once, and its recovery\n" +
			"key is written to a file that you should move elsewhere.",
		RunE: func(c *cobra.Command, args []string) error { return p.register(c.Context(), args[0], gateway) },
	}
	c.Flags().StringVar(&gateway, "gateway", "", "address of a gateway, such as https://mesh.example.org")
	return c
}

func (p *program) register(ctx context.Context, name, gateway string) (err error) {
	home, err := p.homeDir()
	if err != nil {
		return err
	}
	if gateway != "" {
		return p.newAgent(ctx, &door{client: http.DefaultClient, base: strings.TrimRight(gateway, "/")}, home, name)
	}
	d, err := p.door(ctx, writable)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	data, _, err := d.do(ctx, http.MethodGet, "/api/mesh/me", nil, nil, nil)
	if err != nil {
		return p.refused(err)
	}
	var me struct {
		AgentID string `json:"agentId"`
		Name    string `json:"name"`
	}
	if err := decode(data, &me); err != nil {
		return err
	}
	id, err := change.ParseAgentID(me.AgentID)
	if err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	if me.Name != owner.FirstName(id) {
		return p.newAgent(ctx, d, home, name)
	}
	if data, _, err = d.do(ctx, http.MethodPost, "/control/rename", nil, map[string]string{"name": name}, nil); err != nil {
		return p.refused(err)
	}
	if p.json {
		return p.printRaw(data)
	}
	var r admin.RenameReply
	if err := decode(data, &r); err != nil {
		return err
	}
	return p.facts("agent", r.Name+"  "+r.ID, "did", r.DID, "api key", filepath.Join(home, store.KeysDir, owner.APIKeyName))
}

// newAgent registers an agent by the proof of a new key, which controls it.
func (p *program) newAgent(ctx context.Context, d *door, home, name string) error {
	key, err := keys.Generate(rand.Reader)
	if err != nil {
		return fmt.Errorf("make recovery key: %w", err)
	}
	subject := key.Key().String()
	data, _, err := d.do(ctx, http.MethodPost, "/api/mesh/register/challenge", nil, map[string]string{"did": subject}, nil)
	if err != nil {
		return p.refused(err)
	}
	var c struct {
		Nonce     string `json:"nonce"`
		Challenge struct {
			Text string `json:"text"`
		} `json:"challenge"`
	}
	if err := decode(data, &c); err != nil {
		return err
	}
	// The key is on disk before an agent depends on it.
	file := filepath.Join(home, store.KeysDir, "recovery-"+strings.TrimPrefix(subject, "did:key:"))
	if err := owner.WriteRecovery(file, key); err != nil {
		return err
	}
	sig := key.Sign([]byte(c.Challenge.Text))
	data, _, err = d.do(ctx, http.MethodPost, "/api/mesh/register", nil, map[string]string{
		"name": name, "did": subject, "nonce": c.Nonce, "signature": base64.RawURLEncoding.EncodeToString(sig[:]),
	}, nil)
	if err != nil {
		return p.refused(err)
	}
	return p.showRegistered(data, file)
}

func (p *program) showRegistered(data []byte, file string) error {
	var r struct {
		Agent struct {
			ID     string `json:"id"`
			DID    string `json:"did"`
			Name   string `json:"name"`
			APIKey string `json:"api_key"`
		} `json:"agent"`
	}
	if err := decode(data, &r); err != nil {
		return err
	}
	if p.json {
		return p.printJSON(map[string]string{"id": r.Agent.ID, "did": r.Agent.DID, "name": r.Agent.Name, "api_key": r.Agent.APIKey, "recovery_file": file})
	}
	return p.facts("agent", r.Agent.Name+"  "+r.Agent.ID, "did", r.Agent.DID, "api key", r.Agent.APIKey+"  (shown once)", "recovery", recoveryNote(file))
}
