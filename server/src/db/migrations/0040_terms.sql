-- Terms: the glossary of a company.
CREATE TABLE terms (
  company_id    uuid NOT NULL REFERENCES companies (id),
  id            uuid NOT NULL,
  term          text NOT NULL CHECK (char_length(term) BETWEEN 1 AND 100),
  name_key      text COLLATE "C" NOT NULL,
  definition    text NOT NULL CHECK (char_length(definition) BETWEEN 1 AND 2000),
  synonyms      text[] NOT NULL CHECK (cardinality(synonyms) <= 20),
  -- The synonyms and the definition, folded, each on a line of its own.
  text_key      text COLLATE "C" NOT NULL,
  link          text CHECK (char_length(link) BETWEEN 1 AND 2000),
  date_created  timestamptz(3) NOT NULL,
  date_modified timestamptz(3) NOT NULL,
  version       integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  date_archived timestamptz(3),
  PRIMARY KEY (company_id, id)
);
CREATE UNIQUE INDEX terms_term ON terms (company_id, name_key) WHERE date_archived IS NULL;
CREATE INDEX terms_archived ON terms (company_id, id) WHERE date_archived IS NOT NULL;
CREATE INDEX terms_to_purge ON terms (date_archived) WHERE date_archived IS NOT NULL;
CREATE INDEX terms_by_name ON terms (company_id, name_key, id) WHERE date_archived IS NULL;
CREATE INDEX terms_search ON terms USING gin (company_id, name_key gin_trgm_ops);
CREATE INDEX terms_text ON terms USING gin (company_id, text_key gin_trgm_ops);
