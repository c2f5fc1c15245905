-- What a gateway still has to do for something that is written: tell an author of a
-- sale, put the head of an audit trail into the network's log. Rows go when it is done.

-- +goose Up
CREATE TABLE owed (
  kind    TEXT   NOT NULL,
  subject TEXT   NOT NULL,
  agent   TEXT   NOT NULL,
  version BIGINT NOT NULL,
  tries   BIGINT NOT NULL,
  next_at BIGINT NOT NULL,
  made_at BIGINT NOT NULL,
  home    TEXT   NOT NULL,
  PRIMARY KEY (kind, subject)
);
CREATE INDEX owed_next ON owed (home, next_at);
