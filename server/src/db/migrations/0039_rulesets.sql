-- Rulesets: games as documents, in versions that never change once they are published.
CREATE TABLE rulesets (
  company_id           uuid NOT NULL REFERENCES companies (id),
  id                   uuid NOT NULL,
  name                 text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
  name_key             text COLLATE "C" NOT NULL,
  description          text CHECK (char_length(description) <= 2000),
  text_key             text COLLATE "C",
  -- The newest version that is published, and the draft; null if there is none. Both change only while this row is locked.
  published_version_id uuid,
  draft_version_id     uuid,
  -- The number of the last version that was published.
  versions             integer NOT NULL CHECK (versions BETWEEN 0 AND 1000),
  date_created         timestamptz(3) NOT NULL,
  date_modified        timestamptz(3) NOT NULL,
  version              integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  date_archived        timestamptz(3),
  PRIMARY KEY (company_id, id)
);
CREATE UNIQUE INDEX rulesets_name ON rulesets (company_id, name_key) WHERE date_archived IS NULL;
CREATE INDEX rulesets_archived ON rulesets (company_id, id) WHERE date_archived IS NOT NULL;
CREATE INDEX rulesets_to_purge ON rulesets (date_archived) WHERE date_archived IS NOT NULL;
CREATE INDEX rulesets_by_name ON rulesets (company_id, name_key, id) WHERE date_archived IS NULL;
CREATE INDEX rulesets_search ON rulesets USING gin (company_id, name_key gin_trgm_ops);

CREATE TABLE ruleset_versions (
  company_id     uuid NOT NULL,
  id             uuid NOT NULL,
  ruleset_id     uuid NOT NULL,
  -- Null for a draft.
  number         integer CHECK (number BETWEEN 1 AND 1000),
  status         text NOT NULL CHECK (status IN ('DRAFT', 'PUBLISHED', 'RETIRED')),
  -- What the document says about itself; null where a faulty draft does not.
  game           text CHECK (char_length(game) <= 100),
  license        text CHECK (char_length(license) <= 64),
  attribution    text CHECK (char_length(attribution) <= 2000),
  source_url     text CHECK (char_length(source_url) <= 2000),
  source_changes text CHECK (char_length(source_changes) <= 2000),
  -- False for a draft that cannot be published as it is.
  valid          boolean NOT NULL,
  sha256         text COLLATE "C" NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  bytes          integer NOT NULL CHECK (bytes BETWEEN 2 AND 262144),
  traits         integer NOT NULL CHECK (traits >= 0),
  derived        integer NOT NULL CHECK (derived >= 0),
  rolls          integer NOT NULL CHECK (rolls >= 0),
  cost           integer NOT NULL CHECK (cost >= 0),
  -- True once a campaign was played by it. It is then kept as long as the company, because rolls refer to it.
  used           boolean NOT NULL,
  date_published timestamptz(3),
  date_created   timestamptz(3) NOT NULL,
  date_modified  timestamptz(3) NOT NULL,
  version        integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, ruleset_id) REFERENCES rulesets (company_id, id),
  CONSTRAINT ruleset_versions_number CHECK ((number IS NULL) = (status = 'DRAFT')),
  CONSTRAINT ruleset_versions_published CHECK ((date_published IS NULL) = (status = 'DRAFT')),
  CONSTRAINT ruleset_versions_valid CHECK (valid OR status = 'DRAFT')
);
CREATE UNIQUE INDEX ruleset_versions_by_number ON ruleset_versions (company_id, ruleset_id, number);
CREATE UNIQUE INDEX ruleset_versions_draft ON ruleset_versions (company_id, ruleset_id) WHERE status = 'DRAFT';
CREATE INDEX ruleset_versions_by_ruleset ON ruleset_versions (company_id, ruleset_id, id);

-- The documents, apart from the versions, because they are large. Text, because jsonb does not keep the order of keys, which is that of the sheet.
CREATE TABLE ruleset_documents (
  company_id uuid NOT NULL,
  -- That of the version.
  id         uuid NOT NULL,
  ruleset_id uuid NOT NULL,
  document   text NOT NULL CHECK (octet_length(document) BETWEEN 2 AND 262144),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, id) REFERENCES ruleset_versions (company_id, id),
  FOREIGN KEY (company_id, ruleset_id) REFERENCES rulesets (company_id, id)
);
CREATE INDEX ruleset_documents_by_ruleset ON ruleset_documents (company_id, ruleset_id);
