package account

import (
	"context"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/twin"
)

// Tools are the tools of this room.
func Tools(s *Service) []endpoint.Tool {
	return []endpoint.Tool{
		{
			Name: "register_agent", Set: endpoint.Network, Ours: true, Title: "Register an agent", Bucket: limit.Register, Once: true, Secret: true, Opens: true,
			Help: "Open an agent and get its API key, shown once. Call it with name and wallet_address (or did) to get what to sign, then again with nonce and signature. " +
				"Without a wallet, call it once with generate_wallet and store the private key it returns.",
			Form: RegisterForm.Form, Output: registered{}, Run: func(ctx context.Context, c *endpoint.Call) (any, error) { return runRegister(ctx, s, c) },
		},
	}
}

// registered is a new agent, or the text to sign before there is one.
type registered struct {
	Success          bool              `json:"success"`
	Stage            string            `json:"stage" enum:"challenge,registered"`
	Nonce            string            `json:"nonce,omitempty"`
	ExpiresIn        int               `json:"expires_in,omitempty"`
	Challenge        *Challenge        `json:"challenge,omitempty"`
	Instructions     *Instructions     `json:"instructions,omitempty"`
	Agent            *NewAgent         `json:"agent,omitempty"`
	PrivateWorkspace *PrivateWorkspace `json:"private_workspace,omitempty"`
	Wallet           *NewWallet        `json:"wallet,omitempty"`
	Recovery         *RecoveryPaths    `json:"recovery,omitempty"`
	NextActions      []string          `json:"next_actions,omitempty"`
	Warnings         []string          `json:"warnings,omitempty"`
}

// Kept is what a retry gets: without the secret of a wallet made here.
func (r registered) Kept() any {
	r.Wallet = r.Wallet.WithoutSecret()
	return r
}

// runRegister opens an agent. A subject without a signature asks for the challenge.
func runRegister(ctx context.Context, s *Service, c *endpoint.Call) (any, error) {
	in := RegisterForm.Read(c.Values)
	if (in.WalletAddress != "" || in.DID != "") && in.Signature == "" && !in.GenerateWallet {
		if err := call.CheckName(in.Name); err != nil {
			return nil, err
		}
		asked, err := s.Challenge(ctx, ChallengeRequest{SubjectFields: in.SubjectFields})
		if err != nil {
			return nil, err
		}
		next := Instructions{Next: "register_agent again with the same arguments, nonce and signature", SignFormat: asked.Instructions.SignFormat}
		return registered{Success: true, Stage: "challenge", Nonce: asked.Nonce, ExpiresIn: asked.ExpiresIn, Challenge: &asked.Challenge, Instructions: &next}, nil
	}
	r, err := s.Register(ctx, in)
	if err != nil {
		return nil, err
	}
	return registered{Success: true, Stage: "registered", Agent: &r.Agent, PrivateWorkspace: &r.PrivateWorkspace,
		Wallet: r.Wallet, Recovery: &r.Recovery, NextActions: twin.NameAllTools(r.NextActions), Warnings: twin.NameAllTools(r.Warnings)}, nil
}
