-- Tokens with which a browser or an app of a user makes its own requests. Only the hash of a token is stored. key_id is no foreign key: a token ends with the
-- key that issued it, because the statement that identifies its caller joins the key, and a key can be deleted without touching the tokens of all companies.
CREATE TABLE user_tokens (
  company_id     uuid NOT NULL,
  id             uuid NOT NULL,
  user_id        uuid NOT NULL,
  key_id         uuid NOT NULL,
  token_hash     bytea NOT NULL CHECK (octet_length(token_hash) = 32),
  scope          text NOT NULL CHECK (scope IN ('READ', 'PLAY')),
  label          text CHECK (char_length(label) BETWEEN 1 AND 100),
  date_last_used timestamptz(3),
  date_expires   timestamptz(3) NOT NULL,
  date_created   timestamptz(3) NOT NULL,
  date_modified  timestamptz(3) NOT NULL,
  version        integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id)
);
CREATE UNIQUE INDEX user_tokens_hash ON user_tokens (company_id, token_hash);
CREATE INDEX user_tokens_by_user ON user_tokens (company_id, user_id, id);
CREATE INDEX user_tokens_by_expiry ON user_tokens (date_expires);
