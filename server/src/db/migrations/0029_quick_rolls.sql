-- Quick rolls hold any roll, and belong to a user, a character or a campaign. One of a character has its campaign_id, too.
ALTER TABLE quick_rolls ALTER COLUMN user_id DROP NOT NULL;
ALTER TABLE quick_rolls ALTER COLUMN pool DROP NOT NULL;
ALTER TABLE quick_rolls ADD COLUMN campaign_id uuid;
ALTER TABLE quick_rolls ADD COLUMN character_id uuid;
ALTER TABLE quick_rolls ADD COLUMN notation text;
ALTER TABLE quick_rolls ADD COLUMN target integer;
ALTER TABLE quick_rolls ADD COLUMN compare text;
ALTER TABLE quick_rolls ADD COLUMN naturals boolean;
-- An array of JSON, not a JSON array: drivers write it as it is.
ALTER TABLE quick_rolls ADD COLUMN rolls jsonb[];
ALTER TABLE quick_rolls ADD COLUMN repeat integer;
ALTER TABLE quick_rolls ADD COLUMN "values" jsonb;
ALTER TABLE quick_rolls ADD COLUMN missing text;

ALTER TABLE quick_rolls ADD CONSTRAINT quick_rolls_campaign FOREIGN KEY (company_id, campaign_id) REFERENCES campaigns (company_id, id);
ALTER TABLE quick_rolls ADD CONSTRAINT quick_rolls_character FOREIGN KEY (company_id, character_id) REFERENCES characters (company_id, id);
ALTER TABLE quick_rolls ADD CONSTRAINT quick_rolls_owner CHECK ((user_id IS NULL) <> (campaign_id IS NULL)) NOT VALID;
ALTER TABLE quick_rolls ADD CONSTRAINT quick_rolls_of_character CHECK (character_id IS NULL OR campaign_id IS NOT NULL) NOT VALID;
ALTER TABLE quick_rolls ADD CONSTRAINT quick_rolls_content CHECK (num_nonnulls(notation, pool, rolls) = 1) NOT VALID;
ALTER TABLE quick_rolls ADD CONSTRAINT quick_rolls_notation CHECK (char_length(notation) BETWEEN 1 AND 256) NOT VALID;
ALTER TABLE quick_rolls ADD CONSTRAINT quick_rolls_compare CHECK (compare IN ('AT_LEAST', 'AT_MOST')) NOT VALID;
ALTER TABLE quick_rolls ADD CONSTRAINT quick_rolls_repeat CHECK (repeat BETWEEN 1 AND 20) NOT VALID;
ALTER TABLE quick_rolls ADD CONSTRAINT quick_rolls_values CHECK (jsonb_typeof("values") = 'object') NOT VALID;
ALTER TABLE quick_rolls ADD CONSTRAINT quick_rolls_missing CHECK (missing IN ('REJECT', 'ZERO')) NOT VALID;

CREATE UNIQUE INDEX quick_rolls_name_of_character ON quick_rolls (company_id, character_id, name_key)
  WHERE date_archived IS NULL AND character_id IS NOT NULL;
CREATE UNIQUE INDEX quick_rolls_name_of_campaign ON quick_rolls (company_id, campaign_id, name_key)
  WHERE date_archived IS NULL AND campaign_id IS NOT NULL AND character_id IS NULL;
CREATE INDEX quick_rolls_by_character ON quick_rolls (company_id, character_id, id) WHERE character_id IS NOT NULL;
CREATE INDEX quick_rolls_by_campaign ON quick_rolls (company_id, campaign_id, id) WHERE campaign_id IS NOT NULL;
