-- Pools that a user rolls often, by name.
CREATE TABLE quick_rolls (
  company_id    uuid NOT NULL REFERENCES companies (id),
  id            uuid NOT NULL,
  user_id       uuid NOT NULL,
  name          text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
  name_key      text COLLATE "C" NOT NULL,
  pool          jsonb NOT NULL CHECK (jsonb_typeof(pool) = 'object'),
  date_created  timestamptz(3) NOT NULL,
  date_modified timestamptz(3) NOT NULL,
  version       integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  date_archived timestamptz(3),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id)
);
-- An archived one gives its name free; a restore may find it taken.
CREATE UNIQUE INDEX quick_rolls_name ON quick_rolls (company_id, user_id, name_key) WHERE date_archived IS NULL;
CREATE INDEX quick_rolls_by_user ON quick_rolls (company_id, user_id, id);
CREATE INDEX quick_rolls_archived ON quick_rolls (company_id, user_id, id) WHERE date_archived IS NOT NULL;
CREATE INDEX quick_rolls_by_name ON quick_rolls (company_id, user_id, name_key, id) WHERE date_archived IS NULL;
CREATE INDEX quick_rolls_search ON quick_rolls USING gin (company_id, name_key gin_trgm_ops);
