-- The version of a ruleset that a campaign is played by, and how strictly; null for none.
ALTER TABLE campaigns ADD COLUMN ruleset_version_id uuid;
ALTER TABLE campaigns ADD COLUMN ruleset_mode text;
ALTER TABLE campaigns ADD CONSTRAINT campaigns_ruleset_mode CHECK (ruleset_mode IN ('STRICT', 'ADVISORY')) NOT VALID;
ALTER TABLE campaigns ADD CONSTRAINT campaigns_ruleset CHECK ((ruleset_version_id IS NULL) = (ruleset_mode IS NULL)) NOT VALID;
ALTER TABLE campaigns ADD CONSTRAINT campaigns_ruleset_version FOREIGN KEY (company_id, ruleset_version_id)
  REFERENCES ruleset_versions (company_id, id) NOT VALID;
CREATE INDEX campaigns_by_ruleset_version ON campaigns (company_id, ruleset_version_id) WHERE ruleset_version_id IS NOT NULL;

-- What a character chose, such as a class, and the levels of its conditions, by the names of the ruleset.
ALTER TABLE characters ADD COLUMN choices jsonb NOT NULL DEFAULT '{}';
ALTER TABLE characters ADD COLUMN conditions jsonb NOT NULL DEFAULT '{}';
ALTER TABLE characters ADD CONSTRAINT characters_choices CHECK (jsonb_typeof(choices) = 'object') NOT VALID;
ALTER TABLE characters ADD CONSTRAINT characters_conditions CHECK (jsonb_typeof(conditions) = 'object') NOT VALID;
