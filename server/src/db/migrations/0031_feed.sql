-- The changes feed: every event gets a position in the feed of its company, after its commit.

-- The version of the resource that the event led to, and who could see the resource before and after it: OPEN, STORYTELLER or AUTHOR. Null if that is `visibility`.
ALTER TABLE events ADD COLUMN version integer;
ALTER TABLE events ADD COLUMN visibility_before text;
ALTER TABLE events ADD COLUMN visibility_after text;

-- Events that have no position yet. A row is written with its event, and removed by the sequencer. The rows are few and short-lived, so vacuum often.
CREATE TABLE outbox (
  company_id  uuid NOT NULL,
  id          uuid NOT NULL,
  resource_id uuid NOT NULL,
  version     integer,
  PRIMARY KEY (company_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE TABLE feed (
  company_id   uuid NOT NULL,
  position     bigint NOT NULL CHECK (position >= 1),
  event_id     uuid NOT NULL,
  -- The time at which it got its position.
  date_created timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, position)
);

-- The first and the last position of each company. The row is locked by the sequencer that adds to the feed.
CREATE TABLE feed_heads (
  company_id uuid PRIMARY KEY,
  first      bigint NOT NULL,
  last       bigint NOT NULL
) WITH (fillfactor = 50);

-- One row. The epoch changes whenever positions may be assigned a second time: after a restore, and on another server or timeline.
CREATE TABLE feed_state (
  id         integer PRIMARY KEY CHECK (id = 1),
  epoch      uuid NOT NULL,
  -- The database server and timeline of the epoch; null until a process has looked.
  server     text,
  -- Encrypts cursors.
  cursor_key bytea NOT NULL CHECK (octet_length(cursor_key) = 32)
);
INSERT INTO feed_state (id, epoch, cursor_key)
VALUES (1, gen_random_uuid(), sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));
