import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrations } from './migration-files.ts'
import { splitStatements } from './split-statements.ts'

test('statements end at semicolons, except in strings, names, comments and function bodies', () => {
  const statements = [
    "-- A comment; with a semicolon\nSELECT 'a;''b', E'it\\'s;', \"x;y\"",
    'CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1; SELECT 2; $$',
    "DO $body$ BEGIN PERFORM '$$;'; END $body$",
    'SELECT /* one; two */ $1',
  ]
  assert.deepEqual(splitStatements(`${statements.join(';\n\n')};\n-- The end;\n`), statements)
  assert.deepEqual(splitStatements('-- Nothing;\n/* at; all */ ;'), [])
})

test('the statements of every migration add up to its text', () => {
  const joined = (text: string) => text.replace(/--[^\n]*|[\s;]/g, '')
  for (const { name, text } of migrations()) {
    const statements = splitStatements(text)
    assert.equal(joined(statements.join(';')), joined(text), name)
    for (const statement of statements)
      assert.match(statement, /^(--[^\n]*\n|\s)*(CREATE|ALTER|INSERT|UPDATE|DELETE|DROP|SET LOCAL lock_timeout)\b/, name)
  }
})
