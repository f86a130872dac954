-- Rolls with names, targets and terms, in groups, with dice rolled at the table, and voided ones. Processes of the previous version insert
-- rolls without these columns, so some have defaults; this version supplies every one of them.

-- The notation with names, as it was requested. `notation` has values in their place, and so may be longer.
ALTER TABLE dice_rolls ADD COLUMN formula text;
ALTER TABLE dice_rolls ADD COLUMN "values" jsonb NOT NULL DEFAULT '[]';
ALTER TABLE dice_rolls ADD COLUMN target integer;
ALTER TABLE dice_rolls ADD COLUMN compare text;
ALTER TABLE dice_rolls ADD COLUMN naturals boolean NOT NULL DEFAULT false;
ALTER TABLE dice_rolls ADD COLUMN margin bigint;
ALTER TABLE dice_rolls ADD COLUMN terms jsonb NOT NULL DEFAULT '[]';
ALTER TABLE dice_rolls ADD COLUMN label text;
-- All rolls of one request have the same group.
ALTER TABLE dice_rolls ADD COLUMN group_id uuid;
ALTER TABLE dice_rolls ADD COLUMN source text NOT NULL DEFAULT 'SERVER';
ALTER TABLE dice_rolls ADD COLUMN date_voided timestamptz(3);
ALTER TABLE dice_rolls ADD COLUMN voided_by uuid;
ALTER TABLE dice_rolls ADD COLUMN void_reason text;

-- Dice rolled at the table follow from no seed.
ALTER TABLE dice_rolls ALTER COLUMN seed_id DROP NOT NULL;
ALTER TABLE dice_rolls ALTER COLUMN client_seed DROP NOT NULL;
ALTER TABLE dice_rolls ALTER COLUMN nonce DROP NOT NULL;

ALTER TABLE dice_rolls DROP CONSTRAINT dice_rolls_notation_check;
-- Not validated: that would lock the table while it is read.
ALTER TABLE dice_rolls ADD CONSTRAINT dice_rolls_notation_check CHECK (char_length(notation) <= 1024) NOT VALID;
ALTER TABLE dice_rolls ADD CONSTRAINT dice_rolls_formula CHECK (char_length(formula) <= 256) NOT VALID;
ALTER TABLE dice_rolls ADD CONSTRAINT dice_rolls_compare CHECK (compare IN ('AT_LEAST', 'AT_MOST')) NOT VALID;
ALTER TABLE dice_rolls ADD CONSTRAINT dice_rolls_ones CHECK (pool->>'ones' IN ('SUBTRACT', 'IGNORE')) NOT VALID;
ALTER TABLE quick_rolls ADD CONSTRAINT quick_rolls_ones CHECK (pool->>'ones' IN ('SUBTRACT', 'IGNORE')) NOT VALID;
ALTER TABLE dice_rolls ADD CONSTRAINT dice_rolls_label CHECK (char_length(label) BETWEEN 1 AND 100) NOT VALID;
ALTER TABLE dice_rolls ADD CONSTRAINT dice_rolls_source CHECK (source IN ('SERVER', 'MANUAL')) NOT VALID;
ALTER TABLE dice_rolls ADD CONSTRAINT dice_rolls_seeded
  CHECK ((source = 'SERVER') = (seed_id IS NOT NULL AND client_seed IS NOT NULL AND nonce IS NOT NULL)) NOT VALID;
ALTER TABLE dice_rolls ADD CONSTRAINT dice_rolls_void_reason CHECK (char_length(void_reason) BETWEEN 1 AND 500) NOT VALID;
ALTER TABLE dice_rolls ADD CONSTRAINT dice_rolls_voided CHECK ((date_voided IS NULL) = (void_reason IS NULL)) NOT VALID;

CREATE INDEX dice_rolls_by_group ON dice_rolls (company_id, group_id, id) WHERE group_id IS NOT NULL;
