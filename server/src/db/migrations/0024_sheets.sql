-- Texts on a character, and the readers of its sheet. Processes of the previous version insert characters and campaigns without these
-- columns, so they have defaults; this version supplies every one of them. The rows that exist have the defaults, so nothing needs to be
-- validated.
ALTER TABLE characters ADD COLUMN details jsonb NOT NULL DEFAULT '{}';
ALTER TABLE characters ADD COLUMN sheet_visibility text NOT NULL DEFAULT 'EVERYONE';
ALTER TABLE characters ADD CONSTRAINT characters_details CHECK (jsonb_typeof(details) = 'object') NOT VALID;
ALTER TABLE characters ADD CONSTRAINT characters_sheet_visibility
  CHECK (sheet_visibility IN ('EVERYONE', 'PLAYER', 'STORYTELLER')) NOT VALID;
-- Statistics and experience leave out the sheets that are hidden from the reader.
CREATE INDEX characters_hidden_sheets ON characters (company_id, campaign_id, id) WHERE sheet_visibility <> 'EVERYONE';

-- The users who may change the traits of a player's character.
ALTER TABLE campaigns ADD COLUMN trait_changes text NOT NULL DEFAULT 'ANYONE';
ALTER TABLE campaigns ADD CONSTRAINT campaigns_trait_changes CHECK (trait_changes IN ('ANYONE', 'STORYTELLER', 'EXPERIENCE')) NOT VALID;

-- The readers of the sheet when a character changed: its traits and details in the event are as secret as they were then. Null for everyone.
ALTER TABLE events ADD COLUMN sheet_visibility text COLLATE "C";
ALTER TABLE events ADD CONSTRAINT events_sheet_visibility CHECK (sheet_visibility IN ('PLAYER', 'STORYTELLER')) NOT VALID;
