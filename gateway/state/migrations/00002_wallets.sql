-- Wallets as subjects. wallet is the EIP-55 address of an agent whose subject is
-- one, and unique: the number of the chain in the subject makes no second agent.
-- offer_nonce and offer_issued are those of the challenge the agent registered
-- with; a wallet that signed typed data may sign the text of it later.

-- +goose Up
ALTER TABLE agents ADD COLUMN wallet TEXT;
ALTER TABLE agents ADD COLUMN offer_nonce TEXT NOT NULL DEFAULT '';
ALTER TABLE agents ADD COLUMN offer_issued BIGINT;
CREATE UNIQUE INDEX agents_wallet ON agents (wallet);

-- domain is the host that gave the challenge out, siwe its sign-in text or ''.
ALTER TABLE challenges ADD COLUMN domain TEXT NOT NULL DEFAULT '';
ALTER TABLE challenges ADD COLUMN siwe TEXT NOT NULL DEFAULT '';
