-- As 0035, for a table that may be large.
SET LOCAL lock_timeout = '10s';
ALTER TABLE dice_rolls VALIDATE CONSTRAINT dice_rolls_valid;
