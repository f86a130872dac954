-- Constraints are validated apart from adding them, so that no request waits while the rows are read.
SET LOCAL lock_timeout = '10s';
ALTER TABLE experience_entries VALIDATE CONSTRAINT experience_entries_kind_check;
ALTER TABLE experience_entries VALIDATE CONSTRAINT experience_entries_amount_check;
ALTER TABLE experience_entries VALIDATE CONSTRAINT experience_entries_sign;
ALTER TABLE experience_entries VALIDATE CONSTRAINT experience_entries_price;
