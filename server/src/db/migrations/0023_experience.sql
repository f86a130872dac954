-- Experience belongs to users or to characters, as each campaign decides before its first award. The default is for processes of the previous
-- version, which do not write the column. Citus adds a column and its CHECK only in two statements.
ALTER TABLE campaigns ADD COLUMN experience_per text NOT NULL DEFAULT 'USER';
ALTER TABLE campaigns ADD CONSTRAINT campaigns_experience_per CHECK (experience_per IN ('USER', 'CHARACTER'));

-- The sums of the entries of each character, where experience belongs to characters. A table of its own, because the key of
-- experience_balances is the user, and processes of the previous version insert with it.
CREATE TABLE experience_character_balances (
  company_id   uuid NOT NULL,
  campaign_id  uuid NOT NULL,
  character_id uuid NOT NULL,
  earned       bigint NOT NULL,
  spent        bigint NOT NULL CHECK (spent >= 0),
  PRIMARY KEY (company_id, campaign_id, character_id),
  FOREIGN KEY (company_id, campaign_id) REFERENCES campaigns (company_id, id),
  FOREIGN KEY (company_id, character_id) REFERENCES characters (company_id, id),
  CONSTRAINT experience_character_balances_available CHECK (earned >= spent)
) WITH (fillfactor = 70);
CREATE INDEX experience_character_balances_by_character ON experience_character_balances (company_id, character_id);
