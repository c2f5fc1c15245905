-- Money of this gateway, in micro-USD. A transfer is written once for its
-- operation and key; its postings add up to nothing. Balances are sums of
-- postings and stand nowhere. step_refusals are steps of bounties that this
-- gateway has decided not to confirm, so that it never changes its mind.

-- +goose Up
CREATE TABLE transfers (
    id     TEXT   NOT NULL PRIMARY KEY,
    op     TEXT   NOT NULL,
    key    TEXT   NOT NULL,
    object TEXT   NOT NULL,
    memo   TEXT   NOT NULL,
    at     BIGINT NOT NULL,
    UNIQUE (op, key)
);
CREATE INDEX transfers_object ON transfers (object);

CREATE TABLE postings (
    transfer TEXT   NOT NULL REFERENCES transfers (id),
    place    BIGINT NOT NULL,
    account  TEXT   NOT NULL,
    amount   BIGINT NOT NULL,
    PRIMARY KEY (transfer, place)
);
CREATE INDEX postings_account ON postings (account, transfer);

CREATE TABLE step_refusals (
    step TEXT   NOT NULL PRIMARY KEY,
    code TEXT   NOT NULL,
    at   BIGINT NOT NULL
);
