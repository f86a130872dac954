-- Numbers that move during play, such as hit points and clocks, on a character or, without one, on a campaign.
CREATE TABLE trackers (
  company_id    uuid NOT NULL REFERENCES companies (id),
  id            uuid NOT NULL,
  campaign_id   uuid NOT NULL,
  character_id  uuid,
  -- The resource that has the tracker. One unique index then covers both kinds.
  parent_id     uuid NOT NULL GENERATED ALWAYS AS (coalesce(character_id, campaign_id)) STORED,
  key           text COLLATE "C" NOT NULL CHECK (char_length(key) BETWEEN 1 AND 64),
  label         text NOT NULL CHECK (char_length(label) BETWEEN 1 AND 100),
  value         integer NOT NULL CHECK (value BETWEEN -1000000 AND 1000000),
  minimum       integer NOT NULL CHECK (minimum BETWEEN -1000000 AND 1000000),
  maximum       integer CHECK (maximum BETWEEN -1000000 AND 1000000),
  start         integer NOT NULL CHECK (start BETWEEN -1000000 AND 1000000),
  style         text NOT NULL CHECK (style IN ('NUMBER', 'CLOCK', 'BOXES')),
  visibility    text NOT NULL CHECK (visibility IN ('OPEN', 'NAME_ONLY', 'STORYTELLER')),
  movable_by    text NOT NULL CHECK (movable_by IN ('STORYTELLER', 'MEMBERS', 'PLAYER')),
  date_created  timestamptz(3) NOT NULL,
  date_modified timestamptz(3) NOT NULL,
  version       integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, campaign_id) REFERENCES campaigns (company_id, id),
  FOREIGN KEY (company_id, character_id) REFERENCES characters (company_id, id),
  CONSTRAINT trackers_bounds CHECK (maximum > minimum),
  CONSTRAINT trackers_value CHECK (value >= minimum AND value <= maximum),
  CONSTRAINT trackers_start CHECK (start >= minimum AND start <= maximum),
  CONSTRAINT trackers_hidden CHECK (visibility = 'OPEN' OR movable_by = 'STORYTELLER'),
  CONSTRAINT trackers_player CHECK (character_id IS NOT NULL OR movable_by <> 'PLAYER')
  -- Room for the next value on the same page: a move then changes no index.
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX trackers_key ON trackers (company_id, parent_id, key);
CREATE INDEX trackers_by_parent ON trackers (company_id, parent_id, id);
CREATE INDEX trackers_by_campaign ON trackers (company_id, campaign_id);
CREATE INDEX trackers_by_character ON trackers (company_id, character_id) WHERE character_id IS NOT NULL;
