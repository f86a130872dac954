-- The users for whom a campaign exists, and those who may join it. The rows that exist have the defaults, so nothing needs to be validated.
ALTER TABLE campaigns ADD COLUMN access text NOT NULL DEFAULT 'COMPANY';
ALTER TABLE campaigns ADD COLUMN joining text NOT NULL DEFAULT 'OPEN';
ALTER TABLE campaigns ADD CONSTRAINT campaigns_access CHECK (access IN ('COMPANY', 'MEMBERS')) NOT VALID;
ALTER TABLE campaigns ADD CONSTRAINT campaigns_joining CHECK (joining IN ('OPEN', 'INVITE')) NOT VALID;
-- Totals and statistics leave out the private campaigns of others.
CREATE INDEX campaigns_private ON campaigns (company_id, id) WHERE access = 'MEMBERS';

-- Invitations to a campaign. Only the hash of a code is stored.
CREATE TABLE invites (
  company_id    uuid NOT NULL,
  id            uuid NOT NULL,
  campaign_id   uuid NOT NULL,
  user_id       uuid NOT NULL,
  role          text NOT NULL CHECK (role IN ('STORYTELLER', 'PLAYER')),
  code_hash     bytea NOT NULL,
  max_uses      integer CHECK (max_uses >= 1),
  uses          integer NOT NULL CHECK (uses >= 0 AND uses <= max_uses),
  date_expires  timestamptz(3),
  date_created  timestamptz(3) NOT NULL,
  date_modified timestamptz(3) NOT NULL,
  version       integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, campaign_id) REFERENCES campaigns (company_id, id),
  FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id)
);
CREATE UNIQUE INDEX invites_code ON invites (company_id, code_hash);
CREATE INDEX invites_by_campaign ON invites (company_id, campaign_id, id);
CREATE INDEX invites_by_user ON invites (company_id, user_id, id);
