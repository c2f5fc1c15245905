-- What the home of a team keeps of it beside the log. presence is who is there:
-- a row counts until expires_at. invites hold a keyed digest of each code, never
-- the code. waitlist is in the order of at. reads is the last message that an
-- agent has read in a team, by its logical time.

-- +goose Up
CREATE TABLE presence (
    id         TEXT NOT NULL PRIMARY KEY, -- team and agent
    team       TEXT NOT NULL,
    agent      TEXT NOT NULL,
    surface    TEXT NOT NULL,
    tag        TEXT NOT NULL,
    status     TEXT NOT NULL,
    seen_at    BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX presence_team ON presence (team, expires_at);
CREATE INDEX presence_agent ON presence (agent, expires_at);
CREATE INDEX presence_expiry ON presence (expires_at);

CREATE TABLE invites (
    id         TEXT NOT NULL PRIMARY KEY,
    team       TEXT NOT NULL,
    digest     BYTEA NOT NULL,
    role       TEXT NOT NULL,
    uses       BIGINT NOT NULL,
    made_by    TEXT NOT NULL,
    made_at    BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX invites_digest ON invites (digest);
CREATE INDEX invites_team ON invites (team, expires_at);
CREATE INDEX invites_expiry ON invites (expires_at);

CREATE TABLE waitlist (
    team  TEXT NOT NULL,
    agent TEXT NOT NULL,
    at    BIGINT NOT NULL,
    PRIMARY KEY (team, agent)
);

CREATE TABLE message_reads (
    team  TEXT NOT NULL,
    agent TEXT NOT NULL,
    upto  BIGINT NOT NULL,
    PRIMARY KEY (team, agent)
);
