-- The number of events of a company is that of its positions and of its rows in the outbox, and this number: events from before the feed, minus those that were deleted.
-- One statement has one snapshot, in which every event since has a position or a row in the outbox.
ALTER TABLE feed_heads ADD COLUMN unplaced bigint NOT NULL DEFAULT 0;
INSERT INTO feed_heads AS h (company_id, first, last, unplaced)
  SELECT e.company_id, 1, 0, count(*) - coalesce(max(head.last), 0) - coalesce(max(o.n), 0)
  FROM events e
    LEFT JOIN feed_heads head ON head.company_id = e.company_id
    LEFT JOIN (SELECT company_id, count(*) AS n FROM outbox GROUP BY company_id) o ON o.company_id = e.company_id
  GROUP BY e.company_id
ON CONFLICT (company_id) DO UPDATE SET unplaced = excluded.unplaced;
