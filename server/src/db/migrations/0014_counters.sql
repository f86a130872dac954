-- How many live rows of a collection a company has: moved by the statement that creates, archives or restores one, and read by
-- lists that filter by nothing. Sixteen rows for each, lest all wait for one.
CREATE TABLE counters (
  company_id uuid NOT NULL REFERENCES companies (id),
  collection text COLLATE "C" NOT NULL CHECK (collection IN ('users', 'campaigns')),
  shard      smallint NOT NULL CHECK (shard BETWEEN 0 AND 15),
  count      bigint NOT NULL,
  PRIMARY KEY (company_id, collection, shard)
) WITH (fillfactor = 50);
