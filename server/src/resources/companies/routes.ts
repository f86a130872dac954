import { Type } from 'typebox'
import { administering } from '../../core/access.ts'
import { archives, Paged } from '../../core/page.ts'
import { operation } from '../../http/operation.ts'
import { archiveCompany, createCompany, getCompany, listCompanies, restoreCompany, updateCompany } from './queries.ts'
import { Company, CompanyCreate, CompanyPatch } from './schema.ts'

const ALL = '/companies'
const ONE = `${ALL}/{company_id}` as const

export const companies = [
  operation({
    id: 'companies.list',
    method: 'GET',
    path: ALL,
    needs: { key: 'KEY' },
    summary: 'List the companies you reach',
    description: 'A global admin reaches all. `archived=true` lists those of which you are OWNER.',
    query: Type.Object(archives),
    reply: [200, Paged(Company)],
    run: ({ db, developer, query }) => listCompanies(db, developer, query),
  }),
  operation({
    id: 'companies.create',
    method: 'POST',
    path: ALL,
    needs: { key: 'KEY' },
    summary: 'Create a company',
    description: 'You become its OWNER.',
    body: CompanyCreate,
    reply: [201, Company],
    emits: 'company.created',
    run: ({ db, developer, body }) => createCompany(db, developer.id, body),
  }),
  operation({
    id: 'companies.get',
    method: 'GET',
    path: ONE,
    needs: { key: 'USER' },
    summary: 'Get a company',
    reply: [200, Company],
    run: ({ db, params }) => getCompany(db, params.company_id),
  }),
  operation({
    id: 'companies.update',
    method: 'PATCH',
    path: ONE,
    needs: administering('OWNER'),
    summary: 'Change a company or its settings',
    body: CompanyPatch,
    reply: [200, Company],
    emits: 'company.updated',
    run: ({ db, params, body }) => updateCompany(db, params.company_id, body),
  }),
  operation({
    id: 'companies.delete',
    method: 'DELETE',
    path: ONE,
    needs: { ...administering('OWNER'), archived: true },
    summary: 'Archive a company',
    description: 'It and everything of it is out of reach at once, and can be restored for 30 days.',
    reply: [204],
    emits: 'company.deleted',
    run: ({ db, params }) => archiveCompany(db, params.company_id),
  }),
  operation({
    id: 'companies.restore',
    method: 'POST',
    path: `${ONE}/restore`,
    needs: { ...administering('OWNER'), archived: true },
    summary: 'Restore an archived company',
    reply: [200, Company],
    emits: 'company.restored',
    run: ({ db, params }) => restoreCompany(db, params.company_id),
  }),
]
