-- Purging a character takes several transactions, like purging a user. date_purged marks it as gone; date_blanked says that its name is also gone from rolls, their events
-- and stored replies. Characters purged by an earlier version have no date_blanked, so the next maintenance run finishes them.
ALTER TABLE characters ADD COLUMN date_blanked timestamptz(3);
CREATE INDEX characters_marked_to_purge ON characters (company_id, id) WHERE date_purged IS NOT NULL AND date_blanked IS NULL;
