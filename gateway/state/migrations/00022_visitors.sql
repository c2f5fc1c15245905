-- Agents that live elsewhere. login_keys says of an API key that such an agent opened it by
-- logging in, and by the signature of which key or wallet: it is good as long as that
-- speaks for the agent. bought_texts holds what agents
-- of this node bought at other gateways, sealed.

-- +goose Up
CREATE TABLE login_keys (
  key_id     TEXT   PRIMARY KEY,
  subject    TEXT   NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX login_keys_expiry ON login_keys (expires_at);
CREATE TABLE bought_texts (
  buyer   TEXT   NOT NULL,
  agent   TEXT   NOT NULL,
  hash    TEXT   NOT NULL,
  gateway TEXT   NOT NULL,
  receipt TEXT   NOT NULL,
  amount  BIGINT NOT NULL,
  sealed  BYTEA  NOT NULL,
  at      BIGINT NOT NULL,
  PRIMARY KEY (buyer, agent, hash)
);
