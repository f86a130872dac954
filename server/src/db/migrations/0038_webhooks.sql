-- Webhooks: the feed of a company, posted to an endpoint.
CREATE TABLE webhooks (
  company_id      uuid NOT NULL REFERENCES companies (id),
  id              uuid NOT NULL,
  name            text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
  name_key        text COLLATE "C" NOT NULL,
  url             text NOT NULL CHECK (char_length(url) BETWEEN 1 AND 2000),
  types           text[] NOT NULL CHECK (cardinality(types) BETWEEN 1 AND 100),
  -- Null for all campaigns.
  campaign_id     uuid,
  -- Whose view of the data is sent.
  sight           text NOT NULL CHECK (sight IN ('OPEN', 'ALL', 'USER')),
  user_id         uuid,
  ordered         boolean NOT NULL,
  status          text NOT NULL CHECK (status IN ('ENABLED', 'DISABLED')),
  disabled_reason text CHECK (disabled_reason IN ('MANUAL', 'GONE', 'FAILING', 'RESTORED')),
  date_created    timestamptz(3) NOT NULL,
  date_modified   timestamptz(3) NOT NULL,
  version         integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  date_archived   timestamptz(3),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, campaign_id) REFERENCES campaigns (company_id, id),
  FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id),
  CONSTRAINT webhooks_sight CHECK ((sight = 'USER') = (user_id IS NOT NULL)),
  CONSTRAINT webhooks_disabled CHECK ((status = 'DISABLED') = (disabled_reason IS NOT NULL))
);
CREATE UNIQUE INDEX webhooks_name ON webhooks (company_id, name_key) WHERE date_archived IS NULL;
CREATE INDEX webhooks_archived ON webhooks (company_id, id) WHERE date_archived IS NOT NULL;
CREATE INDEX webhooks_to_purge ON webhooks (date_archived) WHERE date_archived IS NOT NULL;
CREATE INDEX webhooks_by_name ON webhooks (company_id, name_key, id) WHERE date_archived IS NULL;
CREATE INDEX webhooks_search ON webhooks USING gin (company_id, name_key gin_trgm_ops);
CREATE INDEX webhooks_by_campaign ON webhooks (company_id, campaign_id) WHERE campaign_id IS NOT NULL;
CREATE INDEX webhooks_by_user ON webhooks (company_id, user_id) WHERE user_id IS NOT NULL;

-- The progress of each webhook, which deliveries change. It is apart from the webhook, so that no delivery changes the version of one.
CREATE TABLE webhook_runs (
  company_id         uuid NOT NULL,
  -- That of the webhook.
  id                 uuid NOT NULL,
  -- The position of the feed up to which everything is a delivery.
  position           bigint NOT NULL,
  -- The number of the last delivery.
  number             bigint NOT NULL,
  -- The failures since the last success, and since when.
  failures           integer NOT NULL,
  date_failing_since timestamptz(3),
  -- The number of requests at once.
  width              smallint NOT NULL CHECK (width BETWEEN 1 AND 4),
  -- True if the next event of the feed is to be delivered at once; false while the endpoint fails, or too many deliveries wait.
  follows            boolean NOT NULL,
  -- The time at which something is to be done apart from that; null if there is nothing.
  date_due           timestamptz(3),
  -- The part of the feed that is delivered a second time, and the types of it; null if there is none.
  replay_position    bigint,
  replay_until       bigint,
  replay_types       text[],
  -- The process that delivers, and until when others leave the webhook to it.
  lease              uuid,
  date_leased        timestamptz(3),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, id) REFERENCES webhooks (company_id, id),
  CONSTRAINT webhook_runs_replay CHECK ((replay_position IS NULL) = (replay_until IS NULL))
) WITH (fillfactor = 50);
CREATE INDEX webhook_runs_due ON webhook_runs (date_due);

CREATE TABLE webhook_secrets (
  company_id   uuid NOT NULL,
  id           uuid NOT NULL,
  webhook_id   uuid NOT NULL,
  secret       bytea NOT NULL CHECK (octet_length(secret) = 32),
  -- Null for the current one.
  date_expires timestamptz(3),
  date_created timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, webhook_id) REFERENCES webhooks (company_id, id)
);
CREATE UNIQUE INDEX webhook_secrets_current ON webhook_secrets (company_id, webhook_id) WHERE date_expires IS NULL;
CREATE INDEX webhook_secrets_by_webhook ON webhook_secrets (company_id, webhook_id, id);

-- The deliveries of a webhook that wait, at most 100, and those that are done. What is sent is not stored: it is read when it is sent.
CREATE TABLE webhook_deliveries (
  company_id   uuid NOT NULL,
  id           uuid NOT NULL,
  webhook_id   uuid NOT NULL,
  number       bigint NOT NULL CHECK (number >= 1),
  -- The event and its position; null for a delivery that tells no event.
  event_id     uuid,
  position     bigint,
  -- The change that is told, as readers of the feed know it.
  change_id    uuid NOT NULL,
  type         text COLLATE "C" NOT NULL,
  status       text NOT NULL CHECK (status IN ('PENDING', 'DELIVERED', 'FAILED', 'SKIPPED')),
  is_replay    boolean NOT NULL,
  attempts     integer NOT NULL,
  -- The failures that are its own, and not those of an endpoint that fails for all.
  failures     integer NOT NULL,
  -- The time of the next attempt; null if there is none.
  date_due     timestamptz(3),
  date_done    timestamptz(3),
  date_created timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, webhook_id) REFERENCES webhooks (company_id, id),
  CONSTRAINT webhook_deliveries_waiting CHECK ((status = 'PENDING') = (date_due IS NOT NULL))
);
CREATE UNIQUE INDEX webhook_deliveries_number ON webhook_deliveries (company_id, webhook_id, number);
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (company_id, webhook_id, number) WHERE status = 'PENDING';
CREATE INDEX webhook_deliveries_done ON webhook_deliveries (date_done) WHERE date_done IS NOT NULL;

CREATE TABLE webhook_attempts (
  company_id       uuid NOT NULL,
  id               uuid NOT NULL,
  webhook_id       uuid NOT NULL,
  delivery_id      uuid NOT NULL,
  url              text NOT NULL,
  request_headers  jsonb NOT NULL,
  request_bytes    integer NOT NULL,
  status           integer,
  response_headers jsonb,
  response_body    text,
  error            text COLLATE "C",
  duration_ms      integer NOT NULL,
  date_created     timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, webhook_id) REFERENCES webhooks (company_id, id),
  FOREIGN KEY (company_id, delivery_id) REFERENCES webhook_deliveries (company_id, id)
);
CREATE INDEX webhook_attempts_by_delivery ON webhook_attempts (company_id, delivery_id, id);
CREATE INDEX webhook_attempts_by_webhook ON webhook_attempts (company_id, webhook_id);
CREATE INDEX webhook_attempts_by_date ON webhook_attempts (date_created);
