-- Trusted extensions: the owner of a database may create them.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Reference tables: developers and their keys belong to no company.

CREATE TABLE developers (
  id              uuid PRIMARY KEY,
  name            text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
  name_key        text COLLATE "C" NOT NULL,
  is_global_admin boolean NOT NULL DEFAULT false,
  date_created    timestamptz(3) NOT NULL,
  date_modified   timestamptz(3) NOT NULL,
  version         integer NOT NULL DEFAULT 1 CHECK (version >= 1)
);
CREATE INDEX developers_by_name ON developers (name_key, id);
CREATE INDEX developers_search ON developers USING gin (name_key gin_trgm_ops);

CREATE TABLE api_keys (
  id             uuid PRIMARY KEY,
  developer_id   uuid NOT NULL REFERENCES developers (id),
  -- SHA-256 of the key; the key itself is never stored.
  key_hash       bytea NOT NULL UNIQUE CHECK (octet_length(key_hash) = 32),
  prefix         text NOT NULL CHECK (char_length(prefix) = 8),
  last_four      text NOT NULL CHECK (char_length(last_four) = 4),
  date_last_used timestamptz(3),
  -- Set by a rotation: the old key works until then.
  date_expires   timestamptz(3),
  date_created   timestamptz(3) NOT NULL,
  date_modified  timestamptz(3) NOT NULL,
  version        integer NOT NULL DEFAULT 1 CHECK (version >= 1)
);
CREATE INDEX api_keys_by_developer ON api_keys (developer_id, id);

-- The tenant. Everything below it is keyed by (company_id, id), and every reference carries company_id: a row cannot
-- point into another company.

CREATE TABLE companies (
  id            uuid PRIMARY KEY,
  name          text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
  name_key      text COLLATE "C" NOT NULL,
  description   text CHECK (char_length(description) <= 10000),
  email         text CHECK (char_length(email) <= 254),
  settings      jsonb NOT NULL CHECK (settings ->> 'campaign_creation' IN ('ANYONE', 'STORYTELLER')),
  date_created  timestamptz(3) NOT NULL,
  date_modified timestamptz(3) NOT NULL,
  version       integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  date_archived timestamptz(3)
);
CREATE INDEX companies_by_name ON companies (name_key, id) WHERE date_archived IS NULL;
CREATE INDEX companies_archived ON companies (id) WHERE date_archived IS NOT NULL;
CREATE INDEX companies_search ON companies USING gin (name_key gin_trgm_ops);

-- Which developers reach a company. `id` is the developer's.
CREATE TABLE grants (
  company_id    uuid NOT NULL REFERENCES companies (id),
  id            uuid NOT NULL REFERENCES developers (id),
  permission    text NOT NULL CHECK (permission IN ('USER', 'ADMIN', 'OWNER')),
  date_created  timestamptz(3) NOT NULL,
  date_modified timestamptz(3) NOT NULL,
  version       integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  PRIMARY KEY (company_id, id)
);
CREATE INDEX grants_by_developer ON grants (id, company_id);
CREATE INDEX grants_by_creation ON grants (company_id, date_created, id);

CREATE TABLE users (
  company_id    uuid NOT NULL REFERENCES companies (id),
  id            uuid NOT NULL,
  name          text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
  name_key      text COLLATE "C" NOT NULL,
  role          text NOT NULL CHECK (role IN ('PLAYER', 'STORYTELLER', 'ADMIN')),
  email         text CHECK (char_length(email) <= 254),
  external_id   text CHECK (char_length(external_id) BETWEEN 1 AND 255),
  date_created  timestamptz(3) NOT NULL,
  date_modified timestamptz(3) NOT NULL,
  version       integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  date_archived timestamptz(3),
  PRIMARY KEY (company_id, id)
);
-- An archived user gives the external id free; a restore may find it taken.
CREATE UNIQUE INDEX users_external_id ON users (company_id, external_id) WHERE date_archived IS NULL AND external_id IS NOT NULL;
CREATE INDEX users_live ON users (company_id, id) WHERE date_archived IS NULL;
CREATE INDEX users_archived ON users (company_id, id) WHERE date_archived IS NOT NULL;
CREATE INDEX users_by_role ON users (company_id, role, id) WHERE date_archived IS NULL;
CREATE INDEX users_by_name ON users (company_id, name_key, id) WHERE date_archived IS NULL;
CREATE INDEX users_search ON users USING gin (company_id, name_key gin_trgm_ops);

-- What happened: written in the transaction that made it happen, never changed. Rows of requests that name no company
-- carry the calling developer's id as company_id; developer_id is null for the operator's command line.
CREATE TABLE events (
  company_id    uuid NOT NULL,
  id            uuid NOT NULL,
  type          text COLLATE "C" NOT NULL,
  resource_type text COLLATE "C" NOT NULL,
  resource_id   uuid NOT NULL,
  developer_id  uuid,
  user_id       uuid,
  request_id    text COLLATE "C",
  changes       jsonb NOT NULL,
  date_created  timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, id)
);
CREATE INDEX events_by_type ON events (company_id, resource_type, type, id);
CREATE INDEX events_by_resource ON events (company_id, resource_id, id);
CREATE INDEX events_by_developer ON events (company_id, developer_id, id);
CREATE INDEX events_by_user ON events (company_id, user_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX events_by_request ON events (company_id, request_id, id);

-- Replies kept for an Idempotency-Key. The row is claimed and filled in the transaction of the work itself.
CREATE TABLE idempotency_keys (
  company_id   uuid NOT NULL,
  developer_id uuid NOT NULL,
  -- SHA-256 of acting user, method, path and key.
  key_hash     bytea NOT NULL CHECK (octet_length(key_hash) = 32),
  body_hash    bytea NOT NULL CHECK (octet_length(body_hash) = 32),
  status       integer,
  -- The exact bytes that were sent; encrypted when they carry a secret.
  body         bytea,
  etag         text,
  location     text,
  date_created timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, developer_id, key_hash)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (date_created);
