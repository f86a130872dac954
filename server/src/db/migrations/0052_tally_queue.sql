-- Changes of statistics that are not added to their tallies yet. A row is written with the roll, and a background worker of any process adds it to the tallies.
-- Statistics and totals read both. Processes of earlier versions add to the tallies themselves, and their statistics lack the few rows that wait here.
CREATE TABLE tally_queue (
  company_id   uuid NOT NULL,
  id           uuid NOT NULL,
  campaign_id  uuid,
  character_id uuid,
  user_id      uuid NOT NULL,
  visibility   text NOT NULL,
  day          date NOT NULL,
  -- In the order of COUNTED in resources/dice-rolls/tally-queue.ts.
  counts       integer[] NOT NULL,
  -- [{"sides": 6, "faces": [0, 1, 0, 0, 0, 2]}]
  faces        jsonb NOT NULL,
  -- {"strength": 1}
  traits       jsonb NOT NULL,
  PRIMARY KEY (company_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
