-- Trackers that the ruleset of a campaign defines. Their limits follow from the sheet, and may leave no range, or a value outside of it: the value stays, and the next
-- move brings it back.
ALTER TABLE trackers ADD COLUMN by_ruleset boolean NOT NULL DEFAULT false;
ALTER TABLE trackers DROP CONSTRAINT trackers_bounds;
ALTER TABLE trackers DROP CONSTRAINT trackers_value;
ALTER TABLE trackers DROP CONSTRAINT trackers_start;
ALTER TABLE trackers ADD CONSTRAINT trackers_bounds CHECK (by_ruleset OR maximum > minimum) NOT VALID;
ALTER TABLE trackers ADD CONSTRAINT trackers_value CHECK (by_ruleset OR (value >= minimum AND value <= maximum)) NOT VALID;
ALTER TABLE trackers ADD CONSTRAINT trackers_start CHECK (by_ruleset OR (start >= minimum AND start <= maximum)) NOT VALID;
