-- As 0035, for a table that may be large.
SET LOCAL lock_timeout = '10s';
ALTER TABLE events VALIDATE CONSTRAINT events_sheet_visibility;
