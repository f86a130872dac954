-- Games that do not use danger and desperation hide them in applications. They are shown by default, also where a process of the previous version inserts.
ALTER TABLE campaigns ADD COLUMN levels_display text NOT NULL DEFAULT 'SHOWN';
ALTER TABLE campaigns ADD CONSTRAINT campaigns_levels_display_check CHECK (levels_display IN ('SHOWN', 'HIDDEN'));
