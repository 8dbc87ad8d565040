import { integer, uuid } from 'drizzle-orm/pg-core'
import { payments, time } from './base.ts'

/** Failed tries to close what an organization that is erased has open at the provider. */
export const closings = payments.table('closings', {
  organizationId: uuid().primaryKey(),
  tries: integer().notNull(),
  triedAt: time().notNull(),
})
