import { z } from 'zod'
import type { Provided } from '../call.ts'
import type { Database } from '../db.ts'
import { Id } from '../ids.ts'

export const receivedWebhookChanged = {
  event: 'platform.received-webhook',
  payload: z.object({ webhook: z.string(), organizationId: Id }),
}

interface Received {
  webhook: string
  organizationId: string | null
}

/** Of an event whose organization is known. Others are followed by no one. */
export async function publishReceivedWebhook(
  { events }: Pick<Provided, 'events'>,
  db: Database,
  { webhook, organizationId }: Received,
): Promise<void> {
  if (organizationId !== null) await events.publish(db, receivedWebhookChanged.event, { webhook, organizationId })
}
