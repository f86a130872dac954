-- Purging a user takes several transactions. date_purged marks the user as gone; date_blanked says that the name is also gone from rolls,
-- events and stored replies. Users purged by an earlier version have no date_blanked, so the next maintenance run finishes them.
ALTER TABLE users ADD COLUMN date_blanked timestamptz(3);
CREATE INDEX users_marked_to_purge ON users (date_purged) WHERE date_purged IS NOT NULL AND date_blanked IS NULL;
