-- Capability tokens that agents issued here and that are not in the log, and the
-- revocations that were shown here. token_revocations holds one row for each issuer of a
-- token's chain that took it back; expires_at is the token's own end, after which the row
-- says nothing, and null where it has none.

-- +goose Up
CREATE TABLE session_tokens (
  cid        TEXT   PRIMARY KEY,
  agent      TEXT   NOT NULL,
  audience   TEXT   NOT NULL,
  token      TEXT   NOT NULL,
  source     TEXT   NOT NULL,
  key_id     TEXT   NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX session_tokens_agent ON session_tokens (agent, created_at);
CREATE INDEX session_tokens_audience ON session_tokens (audience, created_at);
CREATE INDEX session_tokens_source ON session_tokens (source);
CREATE INDEX session_tokens_expiry ON session_tokens (expires_at);
CREATE TABLE token_revocations (
  cid        TEXT   NOT NULL,
  issuer     TEXT   NOT NULL,
  record     TEXT   NOT NULL,
  at         BIGINT NOT NULL,
  expires_at BIGINT,
  PRIMARY KEY (cid, issuer)
);
CREATE INDEX token_revocations_expiry ON token_revocations (expires_at);
CREATE INDEX token_revocations_issuer ON token_revocations (issuer);
