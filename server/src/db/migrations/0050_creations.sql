-- Characters that are created step by step, by the ruleset of their campaign.
CREATE TABLE creations (
  company_id    uuid NOT NULL,
  id            uuid NOT NULL,
  campaign_id   uuid NOT NULL,
  version_id    uuid NOT NULL,
  user_id       uuid NOT NULL,
  type          text NOT NULL CHECK (type IN ('PLAYER', 'NPC')),
  status        text NOT NULL CHECK (status IN ('OPEN', 'FINISHED', 'ABANDONED')),
  character_id  uuid,
  -- Choices that no step asks for.
  choices       jsonb NOT NULL CHECK (jsonb_typeof(choices) = 'object'),
  -- By the names of steps: the method and the answer, and the dice that were rolled.
  answers       jsonb NOT NULL CHECK (jsonb_typeof(answers) = 'object'),
  rolled        jsonb NOT NULL CHECK (jsonb_typeof(rolled) = 'object'),
  -- Traits that the experience of a tier raised afterwards.
  raised        jsonb NOT NULL CHECK (jsonb_typeof(raised) = 'object'),
  date_expires  timestamptz(3) NOT NULL,
  date_created  timestamptz(3) NOT NULL,
  date_modified timestamptz(3) NOT NULL,
  version       integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, campaign_id) REFERENCES campaigns (company_id, id),
  FOREIGN KEY (company_id, version_id) REFERENCES ruleset_versions (company_id, id),
  FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id),
  FOREIGN KEY (company_id, character_id) REFERENCES characters (company_id, id)
);
CREATE INDEX creations_by_campaign ON creations (company_id, campaign_id, id);
CREATE INDEX creations_by_user ON creations (company_id, user_id, campaign_id);
CREATE INDEX creations_by_version ON creations (company_id, version_id);
CREATE INDEX creations_by_character ON creations (company_id, character_id) WHERE character_id IS NOT NULL;
CREATE INDEX creations_by_expiry ON creations (date_expires);
