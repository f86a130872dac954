-- Dice follow from seeds that were committed to. A campaign has one for open rolls and one for secret ones, a user one for rolls
-- outside campaigns; one of each kind is current, until it is revealed.
CREATE TABLE dice_seeds (
  company_id    uuid NOT NULL REFERENCES companies (id),
  id            uuid NOT NULL,
  campaign_id   uuid,
  user_id       uuid,
  secret        boolean NOT NULL,
  server_seed   bytea NOT NULL CHECK (octet_length(server_seed) = 32),
  -- Of the last roll; rolls count from 1.
  nonce         integer NOT NULL DEFAULT 0 CHECK (nonce >= 0),
  date_revealed timestamptz(3),
  date_created  timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, campaign_id) REFERENCES campaigns (company_id, id),
  FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id),
  CONSTRAINT dice_seeds_owner CHECK ((campaign_id IS NULL) <> (user_id IS NULL) AND (campaign_id IS NOT NULL OR NOT secret))
);
CREATE UNIQUE INDEX dice_seeds_of_campaign ON dice_seeds (company_id, campaign_id, secret) WHERE date_revealed IS NULL AND campaign_id IS NOT NULL;
CREATE UNIQUE INDEX dice_seeds_of_user ON dice_seeds (company_id, user_id) WHERE date_revealed IS NULL AND user_id IS NOT NULL;
CREATE INDEX dice_seeds_by_campaign ON dice_seeds (company_id, campaign_id) WHERE campaign_id IS NOT NULL;
CREATE INDEX dice_seeds_by_user ON dice_seeds (company_id, user_id) WHERE user_id IS NOT NULL;

-- What was rolled: never changed but by its one settlement, and never deleted but with its campaign or company.
CREATE TABLE dice_rolls (
  company_id    uuid NOT NULL REFERENCES companies (id),
  id            uuid NOT NULL,
  user_id       uuid NOT NULL,
  campaign_id   uuid,
  character_id  uuid,
  notation      text CHECK (char_length(notation) <= 256),
  pool          jsonb,
  comment       text CHECK (char_length(comment) <= 500),
  visibility    text NOT NULL CHECK (visibility IN ('PUBLIC', 'STORYTELLER', 'BLIND')),
  dice          jsonb NOT NULL,
  net           bigint,
  total         bigint,
  outcome       text CHECK (outcome IN ('BOTCH', 'FAILURE', 'SUCCESS', 'CRITICAL')),
  strained      boolean NOT NULL,
  settlement    text CHECK (settlement IN ('OVERREACH', 'DESPAIR')),
  text          text NOT NULL,
  seed_id       uuid NOT NULL,
  client_seed   text COLLATE "C" NOT NULL CHECK (client_seed ~ '^[A-Za-z0-9_-]{1,64}$'),
  nonce         integer NOT NULL CHECK (nonce >= 1),
  -- How many words of the seed were looked at.
  words         integer NOT NULL CHECK (words >= 0),
  date_created  timestamptz(3) NOT NULL,
  date_modified timestamptz(3) NOT NULL,
  version       integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id),
  FOREIGN KEY (company_id, campaign_id) REFERENCES campaigns (company_id, id),
  FOREIGN KEY (company_id, character_id) REFERENCES characters (company_id, id),
  FOREIGN KEY (company_id, seed_id) REFERENCES dice_seeds (company_id, id),
  CONSTRAINT dice_rolls_asked CHECK ((notation IS NULL) <> (pool IS NULL)),
  CONSTRAINT dice_rolls_result CHECK ((net IS NULL) <> (total IS NULL)),
  CONSTRAINT dice_rolls_secret CHECK (visibility = 'PUBLIC' OR campaign_id IS NOT NULL),
  CONSTRAINT dice_rolls_settled CHECK (settlement IS NULL OR strained)
);
-- A seed's rolls are numbered without repeats.
CREATE UNIQUE INDEX dice_rolls_by_seed ON dice_rolls (company_id, seed_id, nonce);
CREATE INDEX dice_rolls_by_campaign ON dice_rolls (company_id, campaign_id, id) WHERE campaign_id IS NOT NULL;
CREATE INDEX dice_rolls_by_character ON dice_rolls (company_id, character_id, id) WHERE character_id IS NOT NULL;
CREATE INDEX dice_rolls_by_user ON dice_rolls (company_id, user_id, id);
CREATE INDEX dice_rolls_by_outcome ON dice_rolls (company_id, outcome, id) WHERE outcome IS NOT NULL;
