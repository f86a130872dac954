import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { markdownFiles, root } from './markdown.ts'

// Rejects mechanically the worst habits of language; CONTRIBUTING.md states the rules.

const code = globSync(
  [
    '{bench,faults,scripts}/**/*.{ts,mjs}',
    'server/{bin,src,test}/**/*.{ts,mjs}',
    'client/{src,test}/**/*.{ts,js}',
    '{dice,rules}/{src,test}/**/*.ts',
    'console/{src,test}/**/*.{ts,tsx}',
  ],
  {
    cwd: root,
  },
)
  // bench/peers has packages of its own.
  .filter((file) => !['language.test.ts', 'generated.ts'].includes(basename(file)) && !file.includes('node_modules'))
  .sort()
const everything = [...code, ...markdownFiles]

// The format of rulesets has a key `favours`, which cannot change any more.
const BRITISH =
  /\b(behaviour|colour|favour(?!s\b)|harbour|honour|labour|neighbour|catalogue|centre|defence|licence|learnt|whilst|amongst|towards)\w*|\b\w+(ormal|erial|uthor|nitial|rgan|ecogn|inim|axim|ummar|tandard|ategor|ptim)is(e|ed|es|er|ing|ation)\b/gi

const HABITS: { title: string; files: string[]; pattern: RegExp }[] = [
  {
    title: 'a doc comment is a sentence that makes sense alone',
    files: code,
    pattern: /\/\*\*\s*(\*\s*)?(The same|What|Whatever|Who|Whoever|Whose|Whom|Whether)\b.*/g,
  },
  {
    title: 'a constant states its bound and its unit',
    files: code,
    pattern: /\b(MOST(_\w+)?|LATEST|LONGEST|HIGHEST|DEEPEST|LEAST|OFTEN|SOON|EVERY|ENOUGH)\b(?= = )/g,
  },
  {
    title: 'words are in common use',
    files: everything,
    pattern: /\b(amiss|anew|lest|mend|mends|mended|mending|meanwhile)\b/gi,
  },
  {
    title: 'a relative clause has an antecedent',
    files: everything,
    pattern: /\bwho calls\b|\bwho asks\b|\bunless said otherwise\b|\bas it stands\b|\bin the works\b|\bnobody['’]s\b/gi,
  },
  {
    title: 'a path begins with /api/v1, or with three dots that stand for its beginning',
    files: [...markdownFiles, 'openapi.json', 'client/src/generated.ts'],
    pattern:
      /…\/[a-z{]|`([A-Z]+ )?[BNC]?\/(companies|users|campaigns|characters|developers|me|admin|console-session|restore|dice-rolls)\b.*/g,
  },
  { title: 'spelling is American', files: everything, pattern: BRITISH },
]

for (const { title, files, pattern } of HABITS) {
  test(title, () => {
    const found = files.flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return [...text.matchAll(pattern)].map((match) => `${file}:${text.slice(0, match.index).split('\n').length}: ${match[0]}`)
    })
    assert.equal(found.length, 0, `${found.length} times:\n${found.join('\n')}`)
  })
}
