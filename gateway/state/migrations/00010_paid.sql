-- Paid entries. premium_texts holds what the log does not: the text of an entry
-- that is sold here, sealed, found by its author and the hash that stands in the
-- log. series is shared by the versions of one entry, so that who bought one has
-- the next. purchases say who may read a series. payments are transfers that
-- wallets signed, each kept before it is used and for good: a nonce is used once.
-- A payment is started, settled or failed; lease_until is how long the process
-- that started it is left alone.

-- +goose Up
CREATE TABLE premium_texts (
    agent      TEXT   NOT NULL,
    hash       TEXT   NOT NULL,
    series     TEXT   NOT NULL,
    sealed     BYTEA  NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (agent, hash)
);

CREATE TABLE purchases (
    buyer  TEXT   NOT NULL,
    series TEXT   NOT NULL,
    entry  TEXT   NOT NULL,
    seller TEXT   NOT NULL,
    amount BIGINT NOT NULL,
    ledger TEXT   NOT NULL,
    at     BIGINT NOT NULL,
    PRIMARY KEY (buyer, series)
);
CREATE INDEX purchases_series ON purchases (series);
CREATE INDEX purchases_seller ON purchases (seller);

CREATE TABLE payments (
    id          TEXT   NOT NULL PRIMARY KEY,
    asset       TEXT   NOT NULL,
    payer       TEXT   NOT NULL,
    nonce       TEXT   NOT NULL,
    resource    TEXT   NOT NULL,
    buyer       TEXT   NOT NULL,
    object      TEXT   NOT NULL,
    amount      BIGINT NOT NULL,
    state       TEXT   NOT NULL,
    mode        TEXT   NOT NULL,
    tx          TEXT   NOT NULL,
    code        TEXT   NOT NULL,
    payload     BYTEA  NOT NULL,
    detail      TEXT   NOT NULL,
    at          BIGINT NOT NULL,
    lease_until BIGINT NOT NULL,
    settled_at  BIGINT NOT NULL,
    UNIQUE (asset, payer, nonce)
);
CREATE UNIQUE INDEX payments_open ON payments (buyer, object) WHERE state = 'started';
CREATE UNIQUE INDEX payments_tx ON payments (asset, tx) WHERE tx <> '';
CREATE INDEX payments_state ON payments (state, at);
