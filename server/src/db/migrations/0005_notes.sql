-- Notes hang on a campaign, a book, a chapter or a character; those on none of them are their author's notebook.
CREATE TABLE notes (
  company_id    uuid NOT NULL REFERENCES companies (id),
  id            uuid NOT NULL,
  author_id     uuid NOT NULL,
  campaign_id   uuid,
  book_id       uuid,
  chapter_id    uuid,
  character_id  uuid,
  -- What the note hangs on.
  parent_id     uuid NOT NULL GENERATED ALWAYS AS (coalesce(chapter_id, book_id, character_id, campaign_id, author_id)) STORED,
  title         text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 100),
  name_key      text COLLATE "C" NOT NULL,
  body          text CHECK (char_length(body) <= 20000),
  text_key      text COLLATE "C",
  visibility    text NOT NULL CHECK (visibility IN ('EVERYONE', 'STORYTELLER', 'AUTHOR')),
  date_created  timestamptz(3) NOT NULL,
  date_modified timestamptz(3) NOT NULL,
  version       integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  date_archived timestamptz(3),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, author_id) REFERENCES users (company_id, id),
  FOREIGN KEY (company_id, campaign_id) REFERENCES campaigns (company_id, id),
  FOREIGN KEY (company_id, book_id) REFERENCES books (company_id, id),
  FOREIGN KEY (company_id, chapter_id) REFERENCES chapters (company_id, id),
  FOREIGN KEY (company_id, character_id) REFERENCES characters (company_id, id),
  CONSTRAINT notes_place CHECK (
    (campaign_id IS NOT NULL OR (book_id IS NULL AND character_id IS NULL))
    AND (book_id IS NOT NULL OR chapter_id IS NULL)
    AND (book_id IS NULL OR character_id IS NULL)),
  CONSTRAINT notes_notebook CHECK (campaign_id IS NOT NULL OR visibility = 'AUTHOR')
);
CREATE INDEX notes_live ON notes (company_id, parent_id, id) WHERE date_archived IS NULL;
CREATE INDEX notes_archived ON notes (company_id, parent_id, id) WHERE date_archived IS NOT NULL;
CREATE INDEX notes_by_name ON notes (company_id, parent_id, name_key, id) WHERE date_archived IS NULL;
CREATE INDEX notes_by_author ON notes (company_id, author_id);
CREATE INDEX notes_by_campaign ON notes (company_id, campaign_id) WHERE campaign_id IS NOT NULL;
CREATE INDEX notes_by_book ON notes (company_id, book_id) WHERE book_id IS NOT NULL;
CREATE INDEX notes_by_chapter ON notes (company_id, chapter_id) WHERE chapter_id IS NOT NULL;
CREATE INDEX notes_by_character ON notes (company_id, character_id) WHERE character_id IS NOT NULL;
CREATE INDEX notes_search ON notes USING gin (company_id, name_key gin_trgm_ops);
