-- A raise by the prices of a ruleset may be free, which is a SPEND of 0, or give experience, which is a GAIN.
ALTER TABLE experience_entries ADD COLUMN price bigint;
ALTER TABLE experience_entries DROP CONSTRAINT experience_entries_kind_check;
ALTER TABLE experience_entries DROP CONSTRAINT experience_entries_amount_check;
ALTER TABLE experience_entries DROP CONSTRAINT experience_entries_sign;
ALTER TABLE experience_entries ADD CONSTRAINT experience_entries_kind_check CHECK (kind IN ('AWARD', 'SPEND', 'GAIN', 'REVERSAL')) NOT VALID;
ALTER TABLE experience_entries ADD CONSTRAINT experience_entries_amount_check
  CHECK (amount >= CASE WHEN kind IN ('SPEND', 'REVERSAL') THEN 0 ELSE 1 END) NOT VALID;
ALTER TABLE experience_entries ADD CONSTRAINT experience_entries_sign
  CHECK (CASE WHEN kind IN ('AWARD', 'GAIN') THEN delta > 0 WHEN kind = 'SPEND' THEN delta <= 0 ELSE true END) NOT VALID;
-- Only the raise of a trait has a price.
ALTER TABLE experience_entries ADD CONSTRAINT experience_entries_price CHECK (price IS NULL OR (trait IS NOT NULL AND kind IN ('SPEND', 'GAIN'))) NOT VALID;
