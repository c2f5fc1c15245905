-- What an agent keeps on its home alone. private_entries hold entries that are
-- sealed under a key of the node. audit_trail is the chain of records that an
-- agent keeps of itself: n counts them, chain is the hash of one, prev that of
-- the one before or '' where a segment begins.

-- +goose Up
CREATE TABLE private_entries (
    id         TEXT NOT NULL PRIMARY KEY,
    agent      TEXT NOT NULL,
    sealed     BYTEA NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX private_entries_agent ON private_entries (agent, id);

CREATE TABLE audit_trail (
    agent     TEXT NOT NULL,
    n         BIGINT NOT NULL,
    tick_at   BIGINT NOT NULL,
    operation TEXT NOT NULL,
    prev      TEXT NOT NULL,
    chain     TEXT NOT NULL,
    record    BYTEA NOT NULL,
    PRIMARY KEY (agent, n)
);
CREATE INDEX audit_trail_chain ON audit_trail (agent, chain);
