-- Lists by the time of the last change. A list whose total is counted reads all of its rows anyway and sorts them, so only those need an
-- index whose total is known (users and campaigns of a company, rolls of a company or campaign), and all notes of a campaign, which may be
-- many. An update of such a row is never "heap only": it writes to every index of the table, those of its texts too. That is why
-- characters have none: a change of a trait would take 1.2 ms instead of 0.4 with a biography of 2,000 characters, and 3.9 ms with 10,000.
--
-- The conditions that are always true (date_modified > '-infinity', name_key >= '') keep these indexes out of all other plans: only a
-- statement that repeats the condition can use them. Without it a plan that knows nothing of a table yet, or thinks that it has one row,
-- takes an index of the whole company for the rows of one campaign or character.
CREATE INDEX users_by_change ON users (company_id, date_modified, id)
  WHERE date_archived IS NULL AND date_modified > '-infinity';
CREATE INDEX campaigns_by_change ON campaigns (company_id, date_modified, id)
  WHERE date_archived IS NULL AND date_modified > '-infinity';
CREATE INDEX dice_rolls_by_change ON dice_rolls (company_id, date_modified, id) WHERE date_modified > '-infinity';
CREATE INDEX dice_rolls_by_campaign_change ON dice_rolls (company_id, campaign_id, date_modified, id)
  WHERE campaign_id IS NOT NULL AND date_modified > '-infinity';
CREATE INDEX notes_by_campaign_change ON notes (company_id, campaign_id, date_modified, id)
  WHERE date_archived IS NULL AND campaign_id IS NOT NULL AND date_modified > '-infinity';

-- All notes of a campaign, in the order of their creation.
CREATE INDEX notes_in_campaign ON notes (company_id, campaign_id, id) WHERE date_archived IS NULL AND campaign_id IS NOT NULL;

-- Names that begin with one or two letters, in the whole company. Users and campaigns have such an index already.
CREATE INDEX characters_by_name_in_company ON characters (company_id, name_key, id) WHERE date_archived IS NULL AND name_key >= '';
CREATE INDEX inventory_by_name_in_company ON inventory (company_id, name_key, id) WHERE date_archived IS NULL AND name_key >= '';
CREATE INDEX books_by_name_in_company ON books (company_id, name_key, id) WHERE date_archived IS NULL AND name_key >= '';
CREATE INDEX chapters_by_name_in_company ON chapters (company_id, name_key, id) WHERE date_archived IS NULL AND name_key >= '';
CREATE INDEX notes_by_name_in_company ON notes (company_id, name_key, id) WHERE date_archived IS NULL AND name_key >= '';

-- Items are found by their descriptions. The service folds a text when it is written; for texts that are there already this comes close
-- enough: case, and the accents of the European languages. Citus refuses a CASE that asks for the encoding, so there are two statements.
ALTER TABLE inventory ADD COLUMN text_key text COLLATE "C";
UPDATE inventory SET text_key = left(lower(regexp_replace(normalize(description, NFKD), '[\u0300-\u036F]+', '', 'g')), 60000)
  WHERE description <> '' AND getdatabaseencoding() = 'UTF8';
UPDATE inventory SET text_key = left(lower(description), 60000) WHERE description <> '' AND getdatabaseencoding() <> 'UTF8';
CREATE INDEX inventory_text ON inventory USING gin (company_id, text_key gin_trgm_ops) WHERE text_key IS NOT NULL;
