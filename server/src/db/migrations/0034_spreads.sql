-- The positions that a spread of the books of a campaign, or of the chapters of a book, replaced. With them, a cursor from before the spread finds its place.
CREATE TABLE books_spreads (
  company_id  uuid NOT NULL,
  id          uuid NOT NULL,
  campaign_id uuid NOT NULL,
  number      integer NOT NULL CHECK (number >= 1),
  positions   bigint[] NOT NULL CHECK (cardinality(positions) >= 1),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, campaign_id) REFERENCES campaigns (company_id, id)
);
CREATE UNIQUE INDEX books_spreads_number ON books_spreads (company_id, campaign_id, number);

CREATE TABLE chapters_spreads (
  company_id uuid NOT NULL,
  id         uuid NOT NULL,
  book_id    uuid NOT NULL,
  number     integer NOT NULL CHECK (number >= 1),
  positions  bigint[] NOT NULL CHECK (cardinality(positions) >= 1),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, book_id) REFERENCES books (company_id, id)
);
CREATE UNIQUE INDEX chapters_spreads_number ON chapters_spreads (company_id, book_id, number);
