-- What was rolled, added up in the transaction of each roll, so that statistics cost the same after a million rolls.
--
-- Each roll is in two tallies: that of who rolled, in which campaign and for which character; and that of the company, which is
-- not one row that all would wait for, but sixteen, by the last digit of the campaign's id, or the roller's outside campaigns.
-- Both are split by visibility, since nobody may see more in a sum than in the rolls themselves. An id follows from what the
-- tally is of (dice-rolls/tally.ts), so that the first roll and the next write the same statement.
CREATE TABLE dice_tallies (
  company_id      uuid NOT NULL REFERENCES companies (id),
  id              uuid NOT NULL,
  campaign_id     uuid,
  character_id    uuid,
  user_id         uuid,
  visibility      text NOT NULL CHECK (visibility IN ('PUBLIC', 'STORYTELLER', 'BLIND')),
  rolls           bigint NOT NULL,
  botches         bigint NOT NULL,
  failures        bigint NOT NULL,
  successes       bigint NOT NULL,
  criticals       bigint NOT NULL,
  -- How many pools, and of how many dice together; how many had a difficulty, and those added up.
  pools           bigint NOT NULL,
  pool_dice       bigint NOT NULL,
  difficulties    bigint NOT NULL,
  difficulty_sum  bigint NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, campaign_id) REFERENCES campaigns (company_id, id),
  FOREIGN KEY (company_id, character_id) REFERENCES characters (company_id, id),
  FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id),
  CONSTRAINT dice_tallies_of CHECK (user_id IS NOT NULL OR (campaign_id IS NULL AND character_id IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX dice_tallies_by_campaign ON dice_tallies (company_id, campaign_id) WHERE campaign_id IS NOT NULL;
CREATE INDEX dice_tallies_by_character ON dice_tallies (company_id, character_id) WHERE character_id IS NOT NULL;
CREATE INDEX dice_tallies_by_user ON dice_tallies (company_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX dice_tallies_of_company ON dice_tallies (company_id) WHERE user_id IS NULL;

-- The same day by day.
CREATE TABLE dice_days (
  company_id uuid NOT NULL,
  tally_id   uuid NOT NULL,
  day        date NOT NULL,
  rolls      bigint NOT NULL,
  botches    bigint NOT NULL,
  failures   bigint NOT NULL,
  successes  bigint NOT NULL,
  criticals  bigint NOT NULL,
  PRIMARY KEY (company_id, tally_id, day),
  FOREIGN KEY (company_id, tally_id) REFERENCES dice_tallies (company_id, id)
) WITH (fillfactor = 70);

-- How often each face of a die was seen, the lowest first. Dice of more than 100 sides are not looked at.
CREATE TABLE dice_faces (
  company_id uuid NOT NULL,
  tally_id   uuid NOT NULL,
  sides      integer NOT NULL CHECK (sides BETWEEN 1 AND 100),
  faces      bigint[] NOT NULL CHECK (cardinality(faces) = sides),
  PRIMARY KEY (company_id, tally_id, sides),
  FOREIGN KEY (company_id, tally_id) REFERENCES dice_tallies (company_id, id)
) WITH (fillfactor = 70);

-- In how many rolls a trait brought dice.
CREATE TABLE dice_traits (
  company_id uuid NOT NULL,
  tally_id   uuid NOT NULL,
  trait      text COLLATE "C" NOT NULL,
  rolls      bigint NOT NULL,
  PRIMARY KEY (company_id, tally_id, trait),
  FOREIGN KEY (company_id, tally_id) REFERENCES dice_tallies (company_id, id)
) WITH (fillfactor = 70);

-- Statistics leave out what was rolled for who was hidden later.
CREATE INDEX characters_hidden ON characters (company_id, campaign_id, id) WHERE visibility <> 'OPEN';
