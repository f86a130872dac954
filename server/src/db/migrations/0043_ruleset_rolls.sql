-- A roll by its name in a ruleset: the version and the name, everything that went into it, and the result in the words of the game; null for every other roll. Versions
-- that were played by are kept as long as the company, so that the result can be computed again. It is json, because that keeps the order of the names.
ALTER TABLE dice_rolls ADD COLUMN ruleset json;
