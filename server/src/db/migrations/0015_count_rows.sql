-- What was there before there were counters.
INSERT INTO counters (company_id, collection, shard, count)
  SELECT company_id, 'users', ('x' || right(id::text, 1))::bit(4)::int, count(*) FROM users WHERE date_archived IS NULL GROUP BY 1, 3
  UNION ALL
  SELECT company_id, 'campaigns', ('x' || right(id::text, 1))::bit(4)::int, count(*) FROM campaigns WHERE date_archived IS NULL GROUP BY 1, 3;
