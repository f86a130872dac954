-- Where play happens. A campaign belongs to a user, who is also one of its members.

CREATE TABLE campaigns (
  company_id    uuid NOT NULL REFERENCES companies (id),
  id            uuid NOT NULL,
  user_id       uuid NOT NULL,
  name          text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
  name_key      text COLLATE "C" NOT NULL,
  description   text CHECK (char_length(description) <= 10000),
  text_key      text COLLATE "C",
  status        text NOT NULL CHECK (status IN ('PLANNED', 'ACTIVE', 'PAUSED', 'COMPLETED')),
  danger        integer NOT NULL CHECK (danger BETWEEN 0 AND 5),
  desperation   integer NOT NULL CHECK (desperation BETWEEN 0 AND 5),
  in_game_date  text CHECK (char_length(in_game_date) <= 100),
  date_created  timestamptz(3) NOT NULL,
  date_modified timestamptz(3) NOT NULL,
  version       integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  date_archived timestamptz(3),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id)
);
CREATE INDEX campaigns_live ON campaigns (company_id, id) WHERE date_archived IS NULL;
CREATE INDEX campaigns_archived ON campaigns (company_id, id) WHERE date_archived IS NOT NULL;
CREATE INDEX campaigns_by_name ON campaigns (company_id, name_key, id) WHERE date_archived IS NULL;
CREATE INDEX campaigns_by_status ON campaigns (company_id, status, id) WHERE date_archived IS NULL;
CREATE INDEX campaigns_by_user ON campaigns (company_id, user_id, id);
CREATE INDEX campaigns_search ON campaigns USING gin (company_id, name_key gin_trgm_ops);

-- Who is in a campaign. The role counts only while the user's role in the company allows it, and the owner's follows from that
-- alone: what a member may do is decided where both are read together.
CREATE TABLE members (
  company_id    uuid NOT NULL,
  campaign_id   uuid NOT NULL,
  user_id       uuid NOT NULL,
  role          text NOT NULL CHECK (role IN ('STORYTELLER', 'PLAYER')),
  date_created  timestamptz(3) NOT NULL,
  date_modified timestamptz(3) NOT NULL,
  version       integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  PRIMARY KEY (company_id, campaign_id, user_id),
  FOREIGN KEY (company_id, campaign_id) REFERENCES campaigns (company_id, id),
  FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id)
);
CREATE INDEX members_by_creation ON members (company_id, campaign_id, date_created, user_id);
CREATE INDEX members_by_user ON members (company_id, user_id, campaign_id);

-- Where a thing happened, and whom it was for at that time (null: everybody), so that whoever reads events later can keep
-- the secrets.
ALTER TABLE events
  ADD COLUMN campaign_id uuid,
  ADD COLUMN visibility  text COLLATE "C" CHECK (visibility IN ('STORYTELLER', 'AUTHOR')),
  ADD COLUMN author_id   uuid;
CREATE INDEX events_by_campaign ON events (company_id, campaign_id, id) WHERE campaign_id IS NOT NULL;

-- The role of the acting user when the reply was made: who has a lesser one since is asked anew whether they may.
ALTER TABLE idempotency_keys ADD COLUMN role text CHECK (role IN ('PLAYER', 'STORYTELLER', 'ADMIN'));
