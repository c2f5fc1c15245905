-- The dialect both engines share: TEXT, BIGINT, SMALLINT and BYTEA. Times are
-- Unix milliseconds in UTC; a null time means "never". SQLite reads BYTEA as a
-- blob without conversion.

-- +goose Up
CREATE TABLE settings (
    name  TEXT NOT NULL PRIMARY KEY,
    value BYTEA NOT NULL
);

-- claimed_until is set while a registration is under way and null afterwards.
CREATE TABLE agents (
    id            TEXT NOT NULL PRIMARY KEY,
    name          TEXT NOT NULL,
    name_key      TEXT NOT NULL UNIQUE,
    subject       TEXT UNIQUE,
    acting_key    TEXT NOT NULL,
    custody       TEXT NOT NULL CHECK (custody IN ('gateway', 'self')),
    created_at    BIGINT NOT NULL,
    claimed_until BIGINT
);

CREATE TABLE api_keys (
    id           TEXT NOT NULL PRIMARY KEY,
    prefix       TEXT NOT NULL,
    digest       BYTEA NOT NULL UNIQUE,
    agent_id     TEXT NOT NULL REFERENCES agents (id),
    scopes       TEXT NOT NULL,
    label        TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT,
    expires_at   BIGINT,
    rotated_from TEXT,
    revoked_at   BIGINT
);
CREATE INDEX api_keys_agent ON api_keys (agent_id, id);

CREATE TABLE challenges (
    nonce      TEXT NOT NULL PRIMARY KEY,
    subject    TEXT NOT NULL,
    purpose    TEXT NOT NULL CHECK (purpose IN ('registration', 'recovery')),
    acting_key TEXT NOT NULL,
    text       TEXT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX challenges_expiry ON challenges (expires_at);

-- A running row has a run and no reply; a done row has a reply. expires_at is
-- the end of the lease of a running row and of the memory of a done one.
CREATE TABLE idempotency (
    principal  TEXT NOT NULL,
    method     TEXT NOT NULL,
    path       TEXT NOT NULL,
    key        TEXT NOT NULL,
    body_hash  BYTEA NOT NULL,
    run        TEXT NOT NULL,
    state      TEXT NOT NULL CHECK (state IN ('running', 'done')),
    status     BIGINT NOT NULL,
    header     TEXT NOT NULL,
    body       BYTEA NOT NULL,
    sealed     SMALLINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (principal, method, path, key)
);
CREATE INDEX idempotency_expiry ON idempotency (expires_at);

CREATE TABLE audit (
    id     TEXT NOT NULL PRIMARY KEY,
    at     BIGINT NOT NULL,
    actor  TEXT NOT NULL,
    action TEXT NOT NULL,
    object TEXT NOT NULL,
    detail TEXT NOT NULL
);
CREATE INDEX audit_at ON audit (at);
