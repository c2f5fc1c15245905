-- Gateways that share one database. home names the gateway whose vault holds the
-- acting key of a registration under way; '' in a database of one gateway.

-- +goose Up
ALTER TABLE agents ADD COLUMN home TEXT NOT NULL DEFAULT '';
ALTER TABLE challenges ADD COLUMN home TEXT NOT NULL DEFAULT '';
