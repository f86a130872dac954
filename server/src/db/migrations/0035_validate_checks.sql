-- Validates the CHECKs that earlier migrations added as NOT VALID. Every row written since satisfies them; now PostgreSQL knows that the earlier ones do, too.
-- VALIDATE reads the table under SHARE UPDATE EXCLUSIVE, which blocks neither reads nor writes, only other changes of the schema and VACUUM of that table.
-- Nobody waits behind this lock, so it may take longer than that of other migrations: an autovacuum gives way only to a session that waited a second.
-- The two largest tables have files of their own, so that each lock ends with its table.
SET LOCAL lock_timeout = '10s';
ALTER TABLE companies VALIDATE CONSTRAINT companies_external_id_length;
ALTER TABLE companies VALIDATE CONSTRAINT companies_default_user_role;
ALTER TABLE campaigns VALIDATE CONSTRAINT campaigns_external_id_length;
ALTER TABLE campaigns VALIDATE CONSTRAINT campaigns_trait_changes;
ALTER TABLE campaigns VALIDATE CONSTRAINT campaigns_access;
ALTER TABLE campaigns VALIDATE CONSTRAINT campaigns_joining;
ALTER TABLE characters VALIDATE CONSTRAINT characters_external_id_length;
ALTER TABLE characters VALIDATE CONSTRAINT characters_details;
ALTER TABLE characters VALIDATE CONSTRAINT characters_sheet_visibility;
ALTER TABLE inventory VALIDATE CONSTRAINT inventory_external_id_length;
ALTER TABLE books VALIDATE CONSTRAINT books_external_id_length;
ALTER TABLE chapters VALIDATE CONSTRAINT chapters_external_id_length;
ALTER TABLE notes VALIDATE CONSTRAINT notes_external_id_length;
ALTER TABLE quick_rolls VALIDATE CONSTRAINT quick_rolls_ones;
ALTER TABLE quick_rolls VALIDATE CONSTRAINT quick_rolls_owner;
ALTER TABLE quick_rolls VALIDATE CONSTRAINT quick_rolls_of_character;
ALTER TABLE quick_rolls VALIDATE CONSTRAINT quick_rolls_content;
ALTER TABLE quick_rolls VALIDATE CONSTRAINT quick_rolls_notation;
ALTER TABLE quick_rolls VALIDATE CONSTRAINT quick_rolls_compare;
ALTER TABLE quick_rolls VALIDATE CONSTRAINT quick_rolls_repeat;
ALTER TABLE quick_rolls VALIDATE CONSTRAINT quick_rolls_values;
ALTER TABLE quick_rolls VALIDATE CONSTRAINT quick_rolls_missing;
