-- Constraints are validated apart from adding them, so that no request waits while the rows are read.
SET LOCAL lock_timeout = '10s';
ALTER TABLE trackers VALIDATE CONSTRAINT trackers_bounds;
ALTER TABLE trackers VALIDATE CONSTRAINT trackers_value;
ALTER TABLE trackers VALIDATE CONSTRAINT trackers_start;
