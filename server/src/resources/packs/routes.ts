import { Type } from '@guildhall/rules/type'
import { PagedByOffset, paging } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below, belowText, COMPANY } from '../../http/path.ts'
import { getPack, packs as library } from './library.ts'
import { Pack, PackId, PackWithDocument } from './schema.ts'

const all = below(COMPANY, 'packs')
const one = belowText(all, 'pack_id', { noun: 'Pack', schema: PackId('Pack identifier') })

export const packs = resource(
  { Packs: 'Games that the service brings, with their licenses. A company copies one to play it, or to change it' },
  [
    operation({
      id: 'packs.list',
      method: 'GET',
      path: all,
      needs: { key: 'USER' },
      summary: 'List the packs',
      query: Type.Object(paging),
      reply: [200, PagedByOffset(Pack)],
      run: ({ query: { limit, offset } }) => ({
        items: library().slice(offset, offset + limit),
        limit,
        offset,
        total: library().length,
      }),
    }),
    operation({
      id: 'packs.get',
      method: 'GET',
      path: one,
      needs: { key: 'USER' },
      summary: 'Get a pack with its document',
      reply: [200, PackWithDocument],
      run: ({ params }) => getPack(params.pack_id),
    }),
  ],
)
