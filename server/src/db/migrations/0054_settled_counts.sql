-- Numbers of ledger entries and of the events of characters, by everything that decides who sees them. A background worker counts the rows of a company up to a mark,
-- and a reader adds those after it: a company without a mark is counted row by row, as before. Processes of earlier versions need not know about this.
-- There are no foreign keys, so that counting locks nothing that requests need, and purging does not have to wait for it.
CREATE TABLE count_marks (
  company_id uuid PRIMARY KEY,
  -- The last id that is counted.
  up_to      uuid NOT NULL,
  -- A position of the feed: the company is counted again when its feed is well past it.
  position   bigint NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE experience_counts (
  company_id   uuid NOT NULL,
  -- Derived from the columns after `n`.
  id           uuid NOT NULL,
  n            bigint NOT NULL CHECK (n >= 1),
  campaign_id  uuid NOT NULL,
  user_id      uuid NOT NULL,
  character_id uuid,
  kind         text NOT NULL,
  PRIMARY KEY (company_id, id)
) WITH (fillfactor = 70);
CREATE INDEX experience_counts_by_campaign ON experience_counts (company_id, campaign_id, user_id);

CREATE TABLE history_counts (
  company_id       uuid NOT NULL,
  id               uuid NOT NULL,
  n                bigint NOT NULL CHECK (n >= 1),
  character_id     uuid NOT NULL,
  visibility       text NOT NULL,
  sheet_visibility text NOT NULL,
  -- True if the events changed something that is not on the sheet.
  beyond_sheet     boolean NOT NULL,
  PRIMARY KEY (company_id, id)
) WITH (fillfactor = 70);
CREATE INDEX history_counts_by_character ON history_counts (company_id, character_id);
