-- Which key made a key, and which one took over what it had issued. A key that
-- ends takes with it what came of it. Keys made before this know no maker.

-- +goose Up
ALTER TABLE api_keys ADD COLUMN made_by TEXT;
ALTER TABLE api_keys ADD COLUMN heir TEXT;
