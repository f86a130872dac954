-- Data of client applications on campaigns and characters that only storytellers see. It has rows and versions of its own, so that no version, date or event of a
-- campaign or character tells players that it changed.
CREATE TABLE secret_metadata (
  company_id    uuid NOT NULL REFERENCES companies (id),
  id            uuid NOT NULL,
  campaign_id   uuid NOT NULL,
  character_id  uuid,
  -- The resource that has it. One unique index then covers both kinds.
  parent_id     uuid NOT NULL GENERATED ALWAYS AS (coalesce(character_id, campaign_id)) STORED,
  -- The same column that decides who sees notes.
  visibility    text NOT NULL CHECK (visibility IN ('STORYTELLER')),
  metadata      json NOT NULL CHECK (json_typeof(metadata) = 'object'),
  date_created  timestamptz(3) NOT NULL,
  date_modified timestamptz(3) NOT NULL,
  version       integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, campaign_id) REFERENCES campaigns (company_id, id),
  FOREIGN KEY (company_id, character_id) REFERENCES characters (company_id, id)
);
CREATE UNIQUE INDEX secret_metadata_parent ON secret_metadata (company_id, parent_id);
CREATE INDEX secret_metadata_by_campaign ON secret_metadata (company_id, campaign_id);
CREATE INDEX secret_metadata_by_character ON secret_metadata (company_id, character_id) WHERE character_id IS NOT NULL;
