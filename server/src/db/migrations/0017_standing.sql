-- The fingerprint of the caller right after the work whose reply is stored. `role`, which it replaces, is no longer read or written.
ALTER TABLE idempotency_keys ADD COLUMN standing bytea;
