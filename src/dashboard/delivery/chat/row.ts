import type { chatWebhooks } from '../../schema.ts'

export type ChatRow = typeof chatWebhooks.$inferSelect
