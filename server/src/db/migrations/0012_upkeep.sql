-- What is archived for 30 days is purged. A mark comes first: from then on it does not exist, whatever is still there of it.
ALTER TABLE companies ADD COLUMN date_purged timestamptz(3);
ALTER TABLE users ADD COLUMN date_purged timestamptz(3);
ALTER TABLE campaigns ADD COLUMN date_purged timestamptz(3);
ALTER TABLE characters ADD COLUMN date_purged timestamptz(3);

-- How the upkeep finds them, over all companies.
CREATE INDEX companies_to_purge ON companies (date_archived) WHERE date_archived IS NOT NULL;
CREATE INDEX users_to_purge ON users (date_archived) WHERE date_archived IS NOT NULL AND date_purged IS NULL;
CREATE INDEX campaigns_to_purge ON campaigns (date_archived) WHERE date_archived IS NOT NULL;
CREATE INDEX characters_to_purge ON characters (date_archived) WHERE date_archived IS NOT NULL AND date_purged IS NULL;
CREATE INDEX inventory_to_purge ON inventory (date_archived) WHERE date_archived IS NOT NULL;
CREATE INDEX books_to_purge ON books (date_archived) WHERE date_archived IS NOT NULL;
CREATE INDEX chapters_to_purge ON chapters (date_archived) WHERE date_archived IS NOT NULL;
CREATE INDEX notes_to_purge ON notes (date_archived) WHERE date_archived IS NOT NULL;
CREATE INDEX quick_rolls_to_purge ON quick_rolls (date_archived) WHERE date_archived IS NOT NULL;
CREATE INDEX api_keys_to_purge ON api_keys (date_expires) WHERE date_expires IS NOT NULL;
