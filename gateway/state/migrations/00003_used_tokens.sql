-- Capability tokens that acted. id is a digest of what makes the act unique; a
-- row stays until the token could not be used again anyway.

-- +goose Up
CREATE TABLE used_tokens (
    id         TEXT NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX used_tokens_expiry ON used_tokens (expires_at);
