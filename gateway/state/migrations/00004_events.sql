-- Public events in the order of one stream for all gateways of this database.
-- seq rises without gaps; what lies at or below the floor is forgotten. body is
-- for callers with a right to the audience, open for those without a key.

-- +goose Up
CREATE TABLE event_head (
    name  TEXT NOT NULL PRIMARY KEY,
    seq   BIGINT NOT NULL,
    floor BIGINT NOT NULL
);

CREATE TABLE events (
    seq       BIGINT NOT NULL PRIMARY KEY,
    id        TEXT NOT NULL UNIQUE,
    stored_at BIGINT NOT NULL,
    at        BIGINT NOT NULL,
    kind      TEXT NOT NULL,
    audience  TEXT NOT NULL,
    object    TEXT NOT NULL,
    agent     TEXT NOT NULL,
    cause     TEXT NOT NULL,
    domain    TEXT NOT NULL,
    open      TEXT NOT NULL,
    body      TEXT NOT NULL
);
CREATE INDEX events_audience ON events (audience, seq);
CREATE INDEX events_object ON events (object);
CREATE INDEX events_stored ON events (stored_at);

-- How far into the log of a node the events reach.
CREATE TABLE event_marks (
    node    TEXT NOT NULL PRIMARY KEY,
    log_seq BIGINT NOT NULL
);

-- Tickets open one stream each. id is a digest of the ticket.
CREATE TABLE event_tickets (
    id         TEXT NOT NULL PRIMARY KEY,
    key_id     TEXT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX event_tickets_expiry ON event_tickets (expires_at);
