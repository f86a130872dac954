import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { RulesetDocument } from '@guildhall/rules/ruleset/document'
import { lazy } from '../../core/lazy.ts'
import { notFound } from '../../core/problem.ts'
import type { Pack } from './schema.ts'

const FOLDER = new URL('../../../../packs/', import.meta.url)

interface StoredPack extends Pack {
  document: RulesetDocument
}

function readPack(file: string): StoredPack {
  const document: RulesetDocument = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))
  const text = JSON.stringify(document)
  const { name, description = null, source } = document
  const { license, attribution, url, changes } = source
  return {
    id: basename(file, '.json'),
    name,
    description,
    license,
    attribution,
    url,
    changes,
    bytes: Buffer.byteLength(text),
    sha256: hash('sha256', text, 'hex'),
    document,
  }
}

/** The games that the service brings, by name. They are files, so they are the same for every company and cannot change while it runs. */
export const packs = lazy(() => {
  const all = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map(readPack)
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
  return () => all
})

export const findPack = (id: string): StoredPack | undefined => packs().find((pack) => pack.id === id)
export const getPack = (id: string): StoredPack => findPack(id) ?? notFound('Pack')
