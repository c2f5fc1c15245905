-- Which API key an invitation was made with, '' for none: it opens as long as that
-- key does. Those made before this know no key.

-- +goose Up
ALTER TABLE invites ADD COLUMN made_with TEXT NOT NULL DEFAULT '';
