-- The console sessions of developers, and the single-use links that become such sessions. Only hashes of secrets are stored. There are no foreign keys: a session ends with
-- its key and its developer, because the statement that identifies its caller joins both. Sessions are no rows of api_keys: processes of the previous version, which share the
-- database during an upgrade, would list and rotate them as keys.
CREATE TABLE console_sessions (
  id            uuid PRIMARY KEY,
  developer_id  uuid NOT NULL,
  key_id        uuid NOT NULL,
  kind          text NOT NULL CHECK (kind IN ('LINK', 'SESSION')),
  secret_hash   bytea NOT NULL UNIQUE CHECK (octet_length(secret_hash) = 32),
  date_expires  timestamptz(3) NOT NULL,
  date_created  timestamptz(3) NOT NULL,
  date_modified timestamptz(3) NOT NULL,
  version       integer NOT NULL DEFAULT 1 CHECK (version >= 1)
);
CREATE INDEX console_sessions_by_developer ON console_sessions (developer_id, id);
CREATE INDEX console_sessions_by_expiry ON console_sessions (date_expires);

-- The links with which users sign in to the console, each once. The session of a user is a row of user_tokens: it is a token in a cookie.
CREATE TABLE sign_in_links (
  company_id    uuid NOT NULL,
  id            uuid NOT NULL,
  user_id       uuid NOT NULL,
  key_id        uuid NOT NULL,
  code_hash     bytea NOT NULL CHECK (octet_length(code_hash) = 32),
  date_expires  timestamptz(3) NOT NULL,
  date_created  timestamptz(3) NOT NULL,
  date_modified timestamptz(3) NOT NULL,
  version       integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id)
);
CREATE UNIQUE INDEX sign_in_links_hash ON sign_in_links (company_id, code_hash);
CREATE INDEX sign_in_links_by_user ON sign_in_links (company_id, user_id, id);
CREATE INDEX sign_in_links_by_expiry ON sign_in_links (date_expires);

-- Two statements, because Citus adds no column together with a constraint.
ALTER TABLE user_tokens ADD COLUMN kind text NOT NULL DEFAULT 'TOKEN';
ALTER TABLE user_tokens ADD CONSTRAINT user_tokens_kind_check CHECK (kind IN ('TOKEN', 'SESSION'));
