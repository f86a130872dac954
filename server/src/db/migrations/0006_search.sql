-- Texts are searched by parts of words in their folded form; names have their index already.
CREATE INDEX campaigns_text ON campaigns USING gin (company_id, text_key gin_trgm_ops) WHERE text_key IS NOT NULL;
CREATE INDEX characters_text ON characters USING gin (company_id, text_key gin_trgm_ops) WHERE text_key IS NOT NULL;
CREATE INDEX books_text ON books USING gin (company_id, text_key gin_trgm_ops) WHERE text_key IS NOT NULL;
CREATE INDEX chapters_text ON chapters USING gin (company_id, text_key gin_trgm_ops) WHERE text_key IS NOT NULL;
CREATE INDEX notes_text ON notes USING gin (company_id, text_key gin_trgm_ops) WHERE text_key IS NOT NULL;
