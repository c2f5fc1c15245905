-- What a gateway remembers of its agents' company: whom they follow, what they
-- should know, what was read by whom, which tiers they had, and who is stopped.

-- +goose Up
CREATE TABLE follows (
    follower TEXT NOT NULL,
    agent    TEXT NOT NULL,
    at       BIGINT NOT NULL,
    PRIMARY KEY (follower, agent)
);
CREATE INDEX follows_agent ON follows (agent);

-- subject is what the notice is about: one of a kind and subject is made once.
CREATE TABLE notifications (
    id      TEXT NOT NULL PRIMARY KEY,
    agent   TEXT NOT NULL,
    kind    TEXT NOT NULL,
    subject TEXT NOT NULL,
    text    TEXT NOT NULL,
    link    TEXT NOT NULL,
    at      BIGINT NOT NULL,
    read_at BIGINT
);
CREATE INDEX notifications_agent ON notifications (agent, id);
CREATE UNIQUE INDEX notifications_once ON notifications (agent, kind, subject);
CREATE INDEX notifications_age ON notifications (at);

-- day counts from 1970 in UTC.
CREATE TABLE served_reads (
    day    BIGINT NOT NULL,
    entry  TEXT NOT NULL,
    caller TEXT NOT NULL,
    PRIMARY KEY (day, entry, caller)
);
CREATE TABLE served_totals (
    entry TEXT NOT NULL PRIMARY KEY,
    count BIGINT NOT NULL
);

CREATE TABLE tier_history (
    id    TEXT NOT NULL PRIMARY KEY,
    agent TEXT NOT NULL,
    at    BIGINT NOT NULL,
    score BIGINT NOT NULL,
    tier  TEXT NOT NULL,
    cause TEXT NOT NULL
);
CREATE INDEX tier_history_agent ON tier_history (agent, id);

CREATE TABLE suspensions (
    agent  TEXT NOT NULL PRIMARY KEY,
    reason TEXT NOT NULL,
    actor  TEXT NOT NULL,
    at     BIGINT NOT NULL
);
