-- The number of changes of a tracker that only storytellers saw. Others see the version without them, so that it never goes back and does not count hidden moves.
ALTER TABLE trackers ADD COLUMN hidden_changes integer NOT NULL DEFAULT 0;
