-- What was rolled before there were tallies. Apart from making them, lest the locks of that be held so long.
CREATE TEMPORARY TABLE rolled ON COMMIT DROP AS
  SELECT r.*, t.*, substring(sha256(convert_to(concat_ws(':', t.of, r.visibility), 'UTF8')) FOR 16) AS tally
  FROM dice_rolls r
  CROSS JOIN LATERAL (VALUES
    (r.campaign_id, r.character_id, r.user_id, concat(r.campaign_id, ':', r.character_id, ':', r.user_id)),
    (NULL, NULL, NULL, right(coalesce(r.campaign_id, r.user_id)::text, 1))
  ) AS t (in_campaign, for_character, by_user, of);

INSERT INTO dice_tallies
  SELECT company_id, encode(tally, 'hex')::uuid, in_campaign, for_character, by_user, visibility, count(*),
    count(*) FILTER (WHERE outcome = 'BOTCH'), count(*) FILTER (WHERE outcome = 'FAILURE'),
    count(*) FILTER (WHERE outcome = 'SUCCESS'), count(*) FILTER (WHERE outcome = 'CRITICAL'),
    count(pool), coalesce(sum(jsonb_array_length(dice)) FILTER (WHERE pool IS NOT NULL), 0),
    count((pool->>'difficulty')::bigint), coalesce(sum((pool->>'difficulty')::bigint), 0)
  FROM rolled GROUP BY company_id, tally, in_campaign, for_character, by_user, visibility;

INSERT INTO dice_days
  SELECT company_id, encode(tally, 'hex')::uuid, (date_created AT TIME ZONE 'UTC')::date, count(*),
    count(*) FILTER (WHERE outcome = 'BOTCH'), count(*) FILTER (WHERE outcome = 'FAILURE'),
    count(*) FILTER (WHERE outcome = 'SUCCESS'), count(*) FILTER (WHERE outcome = 'CRITICAL')
  FROM rolled GROUP BY 1, 2, 3;

-- A Fudge die has three faces too. Where it shows 1 only the notation tells it from a d3.
INSERT INTO dice_faces
  SELECT company_id, tally_id, sides, array_agg(coalesce(n, 0) ORDER BY face)
  FROM (SELECT DISTINCT company_id, encode(tally, 'hex')::uuid AS tally_id, (die->>'sides')::int AS sides
        FROM rolled CROSS JOIN jsonb_array_elements(dice) die WHERE (die->>'sides')::int <= 100) size
  CROSS JOIN LATERAL generate_series(1, sides) face
  LEFT JOIN (
    SELECT company_id, encode(tally, 'hex')::uuid AS tally_id, (die->>'sides')::int AS sides,
      CASE WHEN (die->>'sides')::int = 3 AND notation ~* 'df' AND ((die->>'value')::int < 1 OR notation !~* 'd3([^0-9]|$)') THEN (die->>'value')::int + 2
        ELSE (die->>'value')::int END AS face, count(*) AS n
    FROM rolled CROSS JOIN jsonb_array_elements(dice) die GROUP BY 1, 2, 3, 4
  ) seen USING (company_id, tally_id, sides, face)
  GROUP BY 1, 2, 3;

INSERT INTO dice_traits
  SELECT company_id, encode(tally, 'hex')::uuid, trait->>'name', count(DISTINCT id)
  FROM rolled CROSS JOIN jsonb_array_elements(pool->'traits') trait WHERE pool IS NOT NULL AND (trait->>'value')::int > 0 GROUP BY 1, 2, 3;
