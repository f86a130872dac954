-- What refers to a user of a company refers to the company too: to check both took a tenth of a roll, and a lock on the row of the
-- company that all who write in it share.
ALTER TABLE dice_seeds DROP CONSTRAINT dice_seeds_company_id_fkey;
ALTER TABLE dice_rolls DROP CONSTRAINT dice_rolls_company_id_fkey;
ALTER TABLE experience_entries DROP CONSTRAINT experience_entries_company_id_fkey;
