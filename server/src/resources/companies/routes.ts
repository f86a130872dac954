import { Type } from '@guildhall/rules/type'
import { administering } from '../../core/access.ts'
import { archives, byExternalId, Paged } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below, COMPANY, ROOT } from '../../http/path.ts'
import { archiveCompany, createCompany, getCompany, listCompanies, restoreCompany, updateCompany } from './queries.ts'
import { Company, CompanyCreate, CompanyPatch } from './schema.ts'

export const companies = resource(
  {
    Companies: 'The tenants. A company owns its users, its campaigns and everything in them',
  },
  [
    operation({
      id: 'companies.list',
      method: 'GET',
      path: below(ROOT, 'companies'),
      needs: { key: 'KEY' },
      summary: 'List the companies you have access to',
      description: 'A global admin has access to all companies. With `archived=true`, only those that you may restore are listed.',
      query: Type.Object({ ...archives, ...byExternalId }),
      reply: [200, Paged(Company)],
      run: ({ db, developer, query }) => listCompanies(db, developer, query),
    }),
    operation({
      id: 'companies.create',
      method: 'POST',
      path: below(ROOT, 'companies'),
      needs: { key: 'KEY' },
      summary: 'Create a company',
      description: 'You become its OWNER.',
      body: CompanyCreate,
      reply: [201, Company],
      emits: ['company.created'],
      run: ({ db, developer, body }) => createCompany(db, developer.id, body),
    }),
    operation({
      id: 'companies.get',
      method: 'GET',
      path: COMPANY,
      needs: { key: 'USER' },
      summary: 'Get a company',
      reply: [200, Company],
      run: ({ db, params }) => getCompany(db, params.company_id),
    }),
    operation({
      id: 'companies.update',
      method: 'PATCH',
      path: COMPANY,
      needs: administering('OWNER'),
      summary: 'Change a company or its settings',
      body: CompanyPatch,
      reply: [200, Company],
      emits: ['company.updated'],
      run: ({ db, params, body }) => updateCompany(db, params.company_id, body),
    }),
    operation({
      id: 'companies.delete',
      method: 'DELETE',
      path: COMPANY,
      needs: { ...administering('OWNER'), archived: true },
      summary: 'Archive a company',
      description: 'The company and everything in it become inaccessible immediately. It can be restored for 30 days.',
      reply: [204],
      emits: ['company.deleted'],
      run: ({ db, params }) => archiveCompany(db, params.company_id),
    }),
    operation({
      id: 'companies.restore',
      method: 'POST',
      path: below(COMPANY, 'restore'),
      needs: { ...administering('OWNER'), archived: true },
      summary: 'Restore an archived company',
      reply: [200, Company],
      emits: ['company.restored'],
      run: ({ db, params }) => restoreCompany(db, params.company_id),
    }),
  ],
)
