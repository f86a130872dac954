-- Why something was done, in the words of who did it.
ALTER TABLE events ADD COLUMN reason text;

-- Experience is a ledger: entries are added, never changed or deleted but with their whole campaign.
CREATE TABLE experience_entries (
  company_id   uuid NOT NULL REFERENCES companies (id),
  id           uuid NOT NULL,
  kind         text NOT NULL CHECK (kind IN ('AWARD', 'SPEND', 'REVERSAL')),
  -- As asked, and with its sign: what is available is the sum of the deltas.
  amount       bigint NOT NULL CHECK (amount >= 1),
  delta        bigint NOT NULL CHECK (abs(delta) = amount),
  user_id      uuid NOT NULL,
  campaign_id  uuid NOT NULL,
  character_id uuid,
  -- {name, from, to}: what the spend made of a trait; from is null where the character had it not.
  trait        jsonb CHECK (jsonb_typeof(trait) = 'object'),
  reason       text NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 500),
  -- Who wrote it. Users are never deleted but with their company, so that nothing has to check this.
  awarded_by   uuid NOT NULL,
  reverses     uuid,
  date_created timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id),
  FOREIGN KEY (company_id, campaign_id) REFERENCES campaigns (company_id, id),
  FOREIGN KEY (company_id, character_id) REFERENCES characters (company_id, id),
  FOREIGN KEY (company_id, reverses) REFERENCES experience_entries (company_id, id),
  CONSTRAINT experience_entries_sign CHECK (CASE kind WHEN 'AWARD' THEN delta > 0 WHEN 'SPEND' THEN delta < 0 ELSE true END),
  CONSTRAINT experience_entries_reverses CHECK ((kind = 'REVERSAL') = (reverses IS NOT NULL)),
  CONSTRAINT experience_entries_trait CHECK (trait IS NULL OR character_id IS NOT NULL)
);
-- An entry is taken back once.
CREATE UNIQUE INDEX experience_entries_reversed ON experience_entries (company_id, reverses) WHERE reverses IS NOT NULL;
CREATE INDEX experience_entries_by_campaign ON experience_entries (company_id, campaign_id, id);
CREATE INDEX experience_entries_by_user ON experience_entries (company_id, user_id, campaign_id, id);
CREATE INDEX experience_entries_by_character ON experience_entries (company_id, character_id, id) WHERE character_id IS NOT NULL;

-- What the entries come to, moved in the transaction of each; a row is also the lock of its user's experience there.
CREATE TABLE experience_balances (
  company_id  uuid NOT NULL REFERENCES companies (id),
  campaign_id uuid NOT NULL,
  user_id     uuid NOT NULL,
  earned      bigint NOT NULL,
  spent       bigint NOT NULL DEFAULT 0 CHECK (spent >= 0),
  PRIMARY KEY (company_id, campaign_id, user_id),
  FOREIGN KEY (company_id, campaign_id) REFERENCES campaigns (company_id, id),
  FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id),
  CONSTRAINT experience_balances_available CHECK (earned >= spent)
) WITH (fillfactor = 70);
CREATE INDEX experience_balances_by_user ON experience_balances (company_id, user_id, campaign_id);
