-- The values on a sheet as they were sent. jsonb sorts the keys of an object, and a table reads a sheet in the order in which it was written. They are null in rows
-- of the previous version, which also changes the other columns without them, so each of these counts only while it has the same value.
ALTER TABLE characters ADD COLUMN traits_ordered json, ADD COLUMN details_ordered json, ADD COLUMN choices_ordered json, ADD COLUMN conditions_ordered json;
