import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { mutants } from '../../faults/mutants/index.ts'
import { literally } from '../../faults/mutants/mutant.ts'
import { mutantRows } from '../../faults/mutants/table.ts'
import { root } from './markdown.ts'

// `npm run mutants` plants the faults. This keeps them in step with the code. UPDATE_DOCS=1 writes the table of docs/mutants.md.

const read = (file: string) => readFileSync(root + file, 'utf8')

/** The titles of the tests in a file. What follows from a value may be any text. */
const titlesIn = (file: string) =>
  [...read(file).matchAll(/\btest\(\s*(['"`])((?:\\.|(?!\1).)+)\1/g)].map(
    ([, , title = '']) =>
      new RegExp(
        `^${title
          .replaceAll('\\', '')
          .split(/\$\{[^}]*\}/)
          .map(literally)
          .join('.+')}$`,
      ),
  )

test('every planted fault has one place in the code, and a test', () => {
  for (const { fault, file, text, planted, seenBy } of mutants) {
    assert.equal(read(file).split(text).length, 2, `${file} has the text of this fault once: ${fault}`)
    assert.notEqual(text, planted)
    const [tests, title] = seenBy
    assert.ok(
      titlesIn(`server/${tests}`).some((pattern) => pattern.test(title)),
      `${tests} has the test: ${title}`,
    )
  }
})

test('no two planted faults are the same', () => {
  assert.equal(new Set(mutants.map(({ fault }) => fault)).size, mutants.length)
  assert.equal(new Set(mutants.map(({ file, text, planted }) => `${file} ${text} ${planted}`)).size, mutants.length)
})

test('docs/mutants.md lists every planted fault, with the tests that see it and saw it', () => {
  const page = read('docs/mutants.md')
  const listed = page.replace(/(?<=\| Fault \|.*\n\|---\|---\|---\|\n)(\|.*\n)+/, mutantRows)
  if (process.env.UPDATE_DOCS) writeFileSync(`${root}docs/mutants.md`, listed)
  else assert.equal(page, listed, 'UPDATE_DOCS=1 npm test -- mutants writes it')
})
