-- Room for data of client applications. metadata is json, not jsonb: it keeps the order of its keys, so that an inserted row is known without
-- reading it back. Its default is for the rows that exist, and for processes of the previous version; every insert of this version names it.
ALTER TABLE companies ADD COLUMN metadata json NOT NULL DEFAULT '{}', ADD COLUMN external_id text;
ALTER TABLE users ADD COLUMN metadata json NOT NULL DEFAULT '{}';
ALTER TABLE campaigns ADD COLUMN metadata json NOT NULL DEFAULT '{}', ADD COLUMN external_id text;
ALTER TABLE characters ADD COLUMN metadata json NOT NULL DEFAULT '{}', ADD COLUMN external_id text;
ALTER TABLE inventory ADD COLUMN metadata json NOT NULL DEFAULT '{}', ADD COLUMN external_id text;
ALTER TABLE books ADD COLUMN metadata json NOT NULL DEFAULT '{}', ADD COLUMN external_id text;
ALTER TABLE chapters ADD COLUMN metadata json NOT NULL DEFAULT '{}', ADD COLUMN external_id text;
ALTER TABLE notes ADD COLUMN metadata json NOT NULL DEFAULT '{}', ADD COLUMN external_id text;
ALTER TABLE dice_rolls ADD COLUMN metadata json NOT NULL DEFAULT '{}';
ALTER TABLE experience_entries ADD COLUMN metadata json NOT NULL DEFAULT '{}';

-- No row violates these, and checking that would read whole tables.
ALTER TABLE companies ADD CONSTRAINT companies_external_id_length CHECK (char_length(external_id) BETWEEN 1 AND 255) NOT VALID;
ALTER TABLE campaigns ADD CONSTRAINT campaigns_external_id_length CHECK (char_length(external_id) BETWEEN 1 AND 255) NOT VALID;
ALTER TABLE characters ADD CONSTRAINT characters_external_id_length CHECK (char_length(external_id) BETWEEN 1 AND 255) NOT VALID;
ALTER TABLE inventory ADD CONSTRAINT inventory_external_id_length CHECK (char_length(external_id) BETWEEN 1 AND 255) NOT VALID;
ALTER TABLE books ADD CONSTRAINT books_external_id_length CHECK (char_length(external_id) BETWEEN 1 AND 255) NOT VALID;
ALTER TABLE chapters ADD CONSTRAINT chapters_external_id_length CHECK (char_length(external_id) BETWEEN 1 AND 255) NOT VALID;
ALTER TABLE notes ADD CONSTRAINT notes_external_id_length CHECK (char_length(external_id) BETWEEN 1 AND 255) NOT VALID;

-- As for users: an archived row gives its external id free, and a restore may find it taken.
CREATE UNIQUE INDEX campaigns_external_id ON campaigns (company_id, external_id) WHERE date_archived IS NULL AND external_id IS NOT NULL;
CREATE UNIQUE INDEX characters_external_id ON characters (company_id, external_id) WHERE date_archived IS NULL AND external_id IS NOT NULL;
CREATE UNIQUE INDEX inventory_external_id ON inventory (company_id, external_id) WHERE date_archived IS NULL AND external_id IS NOT NULL;
CREATE UNIQUE INDEX books_external_id ON books (company_id, external_id) WHERE date_archived IS NULL AND external_id IS NOT NULL;
CREATE UNIQUE INDEX chapters_external_id ON chapters (company_id, external_id) WHERE date_archived IS NULL AND external_id IS NOT NULL;
CREATE UNIQUE INDEX notes_external_id ON notes (company_id, external_id) WHERE date_archived IS NULL AND external_id IS NOT NULL;
-- Not unique: a conflict would reveal the companies of other tenants.
CREATE INDEX companies_by_external_id ON companies (external_id, id) WHERE external_id IS NOT NULL;
-- Finds the archived user who has an external id.
CREATE INDEX users_archived_external_id ON users (company_id, external_id) WHERE date_archived IS NOT NULL AND external_id IS NOT NULL;

-- The setting is absent from rows of the previous version, which means PLAYER.
ALTER TABLE companies ADD CONSTRAINT companies_default_user_role CHECK (settings ->> 'default_user_role' IN ('PLAYER', 'STORYTELLER')) NOT VALID;
