import { z } from 'zod'
import type { Provided } from '../call.ts'
import type { Database } from '../db.ts'
import { Id } from '../ids.ts'

export const webhookChanged = { event: 'platform.webhook', payload: z.object({ webhookId: Id }) }

export const publishWebhookChange = (
  { events }: Pick<Provided, 'events'>,
  db: Database,
  webhookId: string,
): Promise<void> => events.publish(db, webhookChanged.event, { webhookId })
