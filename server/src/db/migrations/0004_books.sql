-- What happened: books, and chapters in them. Their order is a sparse `position`; the number a reader sees is counted
-- from it, so that nothing is renumbered when one goes. Who gives a position holds the row of the parent.

CREATE TABLE books (
  company_id    uuid NOT NULL REFERENCES companies (id),
  id            uuid NOT NULL,
  campaign_id   uuid NOT NULL,
  position      bigint NOT NULL,
  name          text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
  name_key      text COLLATE "C" NOT NULL,
  description   text CHECK (char_length(description) <= 10000),
  text_key      text COLLATE "C",
  date_created  timestamptz(3) NOT NULL,
  date_modified timestamptz(3) NOT NULL,
  version       integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  date_archived timestamptz(3),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, campaign_id) REFERENCES campaigns (company_id, id)
);
CREATE INDEX books_in_order ON books (company_id, campaign_id, position, id) WHERE date_archived IS NULL;
CREATE INDEX books_by_campaign ON books (company_id, campaign_id, id);
CREATE INDEX books_archived ON books (company_id, campaign_id, id) WHERE date_archived IS NOT NULL;
CREATE INDEX books_by_name ON books (company_id, campaign_id, name_key, id) WHERE date_archived IS NULL;
CREATE INDEX books_search ON books USING gin (company_id, name_key gin_trgm_ops);

CREATE TABLE chapters (
  company_id    uuid NOT NULL REFERENCES companies (id),
  id            uuid NOT NULL,
  campaign_id   uuid NOT NULL,
  book_id       uuid NOT NULL,
  position      bigint NOT NULL,
  name          text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
  name_key      text COLLATE "C" NOT NULL,
  description   text CHECK (char_length(description) <= 10000),
  text_key      text COLLATE "C",
  date_created  timestamptz(3) NOT NULL,
  date_modified timestamptz(3) NOT NULL,
  version       integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  date_archived timestamptz(3),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, campaign_id) REFERENCES campaigns (company_id, id),
  FOREIGN KEY (company_id, book_id) REFERENCES books (company_id, id)
);
CREATE INDEX chapters_in_order ON chapters (company_id, book_id, position, id) WHERE date_archived IS NULL;
CREATE INDEX chapters_by_book ON chapters (company_id, book_id, id);
CREATE INDEX chapters_by_campaign ON chapters (company_id, campaign_id);
CREATE INDEX chapters_archived ON chapters (company_id, book_id, id) WHERE date_archived IS NOT NULL;
CREATE INDEX chapters_by_name ON chapters (company_id, book_id, name_key, id) WHERE date_archived IS NULL;
CREATE INDEX chapters_search ON chapters USING gin (company_id, name_key gin_trgm_ops);
