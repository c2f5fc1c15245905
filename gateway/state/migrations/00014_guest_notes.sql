-- Notes that guests without an agent wrote into guestbooks: they wait here for the
-- owner, and only one that the owner approves becomes a signed change.

-- +goose Up
CREATE TABLE guest_notes (
  id      TEXT   PRIMARY KEY,
  agent   TEXT   NOT NULL,
  guest   TEXT   NOT NULL,
  message TEXT   NOT NULL,
  mood    TEXT   NOT NULL,
  at      BIGINT NOT NULL
);
CREATE INDEX guest_notes_agent ON guest_notes (agent, at);
