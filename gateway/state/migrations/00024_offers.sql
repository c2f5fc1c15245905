-- Challenges of a third purpose: a controller consents to a new acting key that this
-- gateway has made. What a purpose may be is the code's to say, so the next one needs no
-- migration.

-- +goose Up
CREATE TABLE challenges_next (
    nonce      TEXT   NOT NULL PRIMARY KEY,
    subject    TEXT   NOT NULL,
    purpose    TEXT   NOT NULL,
    acting_key TEXT   NOT NULL,
    text       TEXT   NOT NULL,
    expires_at BIGINT NOT NULL,
    domain     TEXT   NOT NULL DEFAULT '',
    siwe       TEXT   NOT NULL DEFAULT '',
    home       TEXT   NOT NULL DEFAULT ''
);
INSERT INTO challenges_next (nonce, subject, purpose, acting_key, text, expires_at, domain, siwe, home)
    SELECT nonce, subject, purpose, acting_key, text, expires_at, domain, siwe, home FROM challenges;
DROP TABLE challenges;
ALTER TABLE challenges_next RENAME TO challenges;
CREATE INDEX challenges_expiry ON challenges (expires_at);
