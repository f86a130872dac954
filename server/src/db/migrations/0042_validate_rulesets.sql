-- Constraints are validated apart from adding them, so that no request waits while the rows are read.
SET LOCAL lock_timeout = '10s';
ALTER TABLE campaigns VALIDATE CONSTRAINT campaigns_ruleset_mode;
ALTER TABLE campaigns VALIDATE CONSTRAINT campaigns_ruleset;
ALTER TABLE campaigns VALIDATE CONSTRAINT campaigns_ruleset_version;
ALTER TABLE characters VALIDATE CONSTRAINT characters_choices;
ALTER TABLE characters VALIDATE CONSTRAINT characters_conditions;
