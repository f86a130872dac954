import { declareTable } from '../db/registry.ts'

declareTable('outbox', undefined)
declareTable('feed', undefined, { key: ['company_id', 'position'] })
declareTable('feed_heads', undefined, { key: ['company_id'] })
declareTable('feed_state', undefined, { key: ['id'], distribution: 'reference' })
