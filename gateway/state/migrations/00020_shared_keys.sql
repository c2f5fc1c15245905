-- Gateways that share one database sign for the same agents. shared_keys are acting
-- keys, sealed under the shared secret; shared_heads says where the chains of each end,
-- and shared_changes is what was signed with them lately, written down before it was kept
-- or sent anywhere. A second change for one place of a chain violates its uniqueness.
-- shared_place counts what is added; its row is locked until that is committed, so that
-- places become visible in their order. rate_meters are the budgets that callers have at
-- all gateways together: full_at is when a bucket is full again, in ns of the database's
-- clock, and got is how many tokens the last one who asked was given.

-- +goose Up
CREATE TABLE shared_place (
  name TEXT   PRIMARY KEY,
  n    BIGINT NOT NULL
);
INSERT INTO shared_place (name, n) VALUES ('changes', 0), ('keys', 0);
CREATE TABLE shared_keys (
  public     TEXT   PRIMARY KEY,
  place      BIGINT NOT NULL UNIQUE,
  name       TEXT   NOT NULL UNIQUE,
  sealed     BYTEA  NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE TABLE shared_heads (
  public TEXT   NOT NULL,
  space  TEXT   NOT NULL,
  lane   INTEGER NOT NULL,
  seq    BIGINT NOT NULL,
  id     BYTEA  NOT NULL,
  PRIMARY KEY (public, space, lane)
);
CREATE TABLE shared_changes (
  place  BIGINT PRIMARY KEY,
  public TEXT   NOT NULL,
  space  TEXT   NOT NULL,
  lane   INTEGER NOT NULL,
  seq    BIGINT NOT NULL,
  head   BYTEA  NOT NULL,
  body   BYTEA  NOT NULL,
  id     BYTEA  NOT NULL,
  mark   TEXT   NOT NULL,
  home   TEXT   NOT NULL,
  at     BIGINT NOT NULL,
  UNIQUE (public, space, lane, seq)
);
CREATE INDEX shared_changes_mark ON shared_changes (mark) WHERE mark <> '';
CREATE INDEX shared_changes_at ON shared_changes (at);
CREATE TABLE rate_meters (
  id         TEXT   PRIMARY KEY,
  full_at    BIGINT NOT NULL,
  got        BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX rate_meters_expiry ON rate_meters (expires_at);
