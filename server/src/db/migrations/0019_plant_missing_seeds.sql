-- Seeds for users and campaigns that a process of an older version created after 0013 had run. Every version since creates the seeds with
-- their owner, and GET only reads them. The random bytes are the digest of three random ids.
INSERT INTO dice_seeds (company_id, id, campaign_id, user_id, secret, server_seed, date_created)
SELECT owner.company_id, (substr(made.hex, 1, 8) || '-' || substr(made.hex, 9, 4) || '-7' || substr(gen_random_uuid()::text, 16))::uuid,
  owner.campaign_id, owner.user_id, owner.secret,
  sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), made.at
FROM (
  SELECT company_id, NULL::uuid AS campaign_id, id AS user_id, false AS secret FROM users WHERE date_purged IS NULL
  UNION ALL
  SELECT company_id, id, NULL, secret FROM campaigns, (VALUES (false), (true)) kind (secret) WHERE date_purged IS NULL
) owner,
  (SELECT now() AS at, lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') AS hex) made
WHERE NOT EXISTS (
  SELECT FROM dice_seeds seed
  WHERE seed.company_id = owner.company_id AND seed.campaign_id = owner.campaign_id AND seed.secret = owner.secret
    AND seed.date_revealed IS NULL AND seed.campaign_id IS NOT NULL)
AND NOT EXISTS (
  SELECT FROM dice_seeds seed
  WHERE seed.company_id = owner.company_id AND seed.user_id = owner.user_id AND seed.date_revealed IS NULL AND seed.user_id IS NOT NULL)
ON CONFLICT DO NOTHING;
