import { grouped } from '../../core/excerpt.ts'
import { Paged } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below, COMPANY } from '../../http/path.ts'
import { mayWriteRules } from '../rulesets/rules.ts'
import { archiveTerm, createTerm, getTerm, listTerms, restoreTerm, updateTerm } from './queries.ts'
import { MAX_TERMS, Term, TermCreate, TermPatch, TermsQuery } from './schema.ts'

const all = below(COMPANY, 'terms')
const one = below(all, '{term_id}')
const needs = { key: 'USER', may: mayWriteRules } as const
const scopeOf = ({ company_id, term_id }: { company_id: string; term_id: string }) => ({ company_id, id: term_id })
const tooMany = { too_many_terms: `The company already has ${grouped(MAX_TERMS)} terms` }
const taken = { duplicate: 'The company already has this term, ignoring case and accents' }

export const terms = resource({ Terms: 'The glossary of a company: the words of its games, and what they mean' }, [
  operation({
    id: 'terms.list',
    method: 'GET',
    path: all,
    needs: { key: 'USER' },
    summary: 'List the terms of a company',
    description: '`q` finds terms by the term itself, by a synonym, or by the definition. `sort=name` sorts by the term.',
    query: TermsQuery,
    reply: [200, Paged(Term)],
    run: ({ db, params, query, ...caller }) => listTerms(db, params.company_id, query, mayWriteRules(caller)),
  }),
  operation({
    id: 'terms.create',
    method: 'POST',
    path: all,
    needs,
    summary: 'Create a term',
    body: TermCreate,
    reply: [201, Term],
    emits: ['term.created'],
    conflicts: { ...taken, ...tooMany },
    run: ({ db, params, body }) => createTerm(db, params.company_id, body),
  }),
  operation({
    id: 'terms.get',
    method: 'GET',
    path: one,
    needs: { key: 'USER' },
    summary: 'Get a term',
    reply: [200, Term],
    run: ({ db, params }) => getTerm(db, scopeOf(params)),
  }),
  operation({
    id: 'terms.update',
    method: 'PATCH',
    path: one,
    needs,
    summary: 'Change a term',
    description: 'New `synonyms` replace all of the old ones.',
    body: TermPatch,
    reply: [200, Term],
    emits: ['term.updated'],
    conflicts: taken,
    run: ({ db, params, body }) => updateTerm(db, scopeOf(params), body),
  }),
  operation({
    id: 'terms.delete',
    method: 'DELETE',
    path: one,
    needs,
    summary: 'Archive a term',
    description: 'It can be restored for 30 days.',
    reply: [204],
    emits: ['term.deleted'],
    run: ({ db, params }) => archiveTerm(db, scopeOf(params)),
  }),
  operation({
    id: 'terms.restore',
    method: 'POST',
    path: below(one, 'restore'),
    needs,
    summary: 'Restore an archived term',
    reply: [200, Term],
    emits: ['term.restored'],
    conflicts: { duplicate: 'The company has the term again', ...tooMany },
    run: ({ db, params }) => restoreTerm(db, scopeOf(params)),
  }),
])
