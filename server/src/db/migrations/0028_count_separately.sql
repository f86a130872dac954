-- Counts of rolls that are in no other count: dice rolled at the table, by their outcome, and voided rolls; and the natural 20s and 1s.
-- The defaults are for the processes of the previous version, which make no such rolls.
ALTER TABLE dice_tallies
  ADD COLUMN natural_max      bigint NOT NULL DEFAULT 0,
  ADD COLUMN natural_min      bigint NOT NULL DEFAULT 0,
  ADD COLUMN manual_rolls     bigint NOT NULL DEFAULT 0,
  ADD COLUMN manual_botches   bigint NOT NULL DEFAULT 0,
  ADD COLUMN manual_failures  bigint NOT NULL DEFAULT 0,
  ADD COLUMN manual_successes bigint NOT NULL DEFAULT 0,
  ADD COLUMN manual_criticals bigint NOT NULL DEFAULT 0,
  ADD COLUMN voided_rolls     bigint NOT NULL DEFAULT 0;
