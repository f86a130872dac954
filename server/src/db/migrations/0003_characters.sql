CREATE TABLE characters (
  company_id    uuid NOT NULL REFERENCES companies (id),
  id            uuid NOT NULL,
  campaign_id   uuid NOT NULL,
  -- Whose character it is; the storyteller's are nobody's.
  user_id       uuid,
  type          text NOT NULL CHECK (type IN ('PLAYER', 'NPC')),
  name          text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
  name_key      text COLLATE "C" NOT NULL,
  status        text NOT NULL CHECK (status IN ('ACTIVE', 'RETIRED', 'DEAD')),
  date_died     timestamptz(3),
  concept       text CHECK (char_length(concept) <= 500),
  biography     text CHECK (char_length(biography) <= 10000),
  text_key      text COLLATE "C",
  traits        jsonb NOT NULL CHECK (jsonb_typeof(traits) = 'object'),
  visibility    text NOT NULL CHECK (visibility IN ('OPEN', 'STORYTELLER')),
  date_created  timestamptz(3) NOT NULL,
  date_modified timestamptz(3) NOT NULL,
  version       integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  date_archived timestamptz(3),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, campaign_id) REFERENCES campaigns (company_id, id),
  FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id),
  CONSTRAINT characters_player CHECK ((type = 'PLAYER') = (user_id IS NOT NULL)),
  CONSTRAINT characters_hidden CHECK (visibility = 'OPEN' OR type = 'NPC'),
  CONSTRAINT characters_death CHECK ((status = 'DEAD') = (date_died IS NOT NULL))
);
CREATE INDEX characters_by_campaign ON characters (company_id, campaign_id, id);
CREATE INDEX characters_archived ON characters (company_id, campaign_id, id) WHERE date_archived IS NOT NULL;
CREATE INDEX characters_by_name ON characters (company_id, campaign_id, name_key, id) WHERE date_archived IS NULL;
CREATE INDEX characters_by_type ON characters (company_id, campaign_id, type, id) WHERE date_archived IS NULL;
CREATE INDEX characters_by_status ON characters (company_id, campaign_id, status, id) WHERE date_archived IS NULL;
CREATE INDEX characters_by_user ON characters (company_id, user_id, campaign_id, id);
CREATE INDEX characters_search ON characters USING gin (company_id, name_key gin_trgm_ops);

CREATE TABLE inventory (
  company_id    uuid NOT NULL REFERENCES companies (id),
  id            uuid NOT NULL,
  character_id  uuid NOT NULL,
  name          text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
  name_key      text COLLATE "C" NOT NULL,
  description   text CHECK (char_length(description) <= 10000),
  kind          text NOT NULL CHECK (kind IN ('WEAPON', 'EQUIPMENT', 'CONSUMABLE', 'BOOK', 'OTHER')),
  quantity      integer NOT NULL CHECK (quantity BETWEEN 0 AND 1000000),
  date_created  timestamptz(3) NOT NULL,
  date_modified timestamptz(3) NOT NULL,
  version       integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  date_archived timestamptz(3),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, character_id) REFERENCES characters (company_id, id)
);
CREATE INDEX inventory_by_character ON inventory (company_id, character_id, id);
CREATE INDEX inventory_archived ON inventory (company_id, character_id, id) WHERE date_archived IS NOT NULL;
CREATE INDEX inventory_by_name ON inventory (company_id, character_id, name_key, id) WHERE date_archived IS NULL;
CREATE INDEX inventory_search ON inventory USING gin (company_id, name_key gin_trgm_ops);
