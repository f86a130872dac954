import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { RulesetDocument } from './document.ts'

const folder = new URL('../../../packs/', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8')
const readme = read('README.md')
const files = readdirSync(folder).filter((file) => file.endsWith('.json'))

/** The sentence that the license page of the SRD 5.2.1 asks for. It permits no other attribution to the publisher. */
const SRD =
  'This work includes material from the System Reference Document 5.2.1 (“SRD 5.2.1”) by Wizards of the Coast LLC, available at https://www.dndbeyond.com/srd. The SRD 5.2.1 is licensed under the Creative Commons Attribution 4.0 International License, available at https://creativecommons.org/licenses/by/4.0/legalcode.'
/** The publisher, its parent, its game, and the site that the sentence names. */
const NAMES = /wizards|hasbro|dungeons|d&d|dndbeyond|dnd/i

test('the pack from the SRD has the exact sentence of its license, and no other mention of its publisher', () => {
  const text = read('srd-5.2.json')
  const { source } = JSON.parse(text) as RulesetDocument
  assert.deepEqual([source.license, source.attribution], ['CC-BY-4.0', SRD])
  const rest = JSON.stringify({ ...JSON.parse(text), source: { ...source, attribution: null, url: null } })
  assert.doesNotMatch(rest, NAMES)
  for (const file of files) if (file !== 'srd-5.2.json') assert.doesNotMatch(read(file), NAMES, file)
})

test('the file beside the packs has the license and the attribution of each', () => {
  assert.equal(files.length, 4)
  const paragraph = readme.replace(/\s+/g, ' ')
  for (const file of files) {
    const { license, attribution } = (JSON.parse(read(file)) as RulesetDocument).source
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${file}\``))
    assert.ok(row?.endsWith(`| ${license} |`), file)
    if (license !== 'CC0-1.0') assert.ok(attribution && paragraph.includes(`\`${file}\`: ${attribution}`), file)
  }
})
