import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { emitWebhook, type EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { webhookEvent } from '#lib/outgoing-webhooks/event.ts'

const data = z.object({ appId: Id, slug: z.string(), name: z.string(), changedBy: Id })

const appInstalled = webhookEvent({
  type: 'app.installed',
  summary: 'An app was installed from the catalog',
  permission: 'apps:read',
  data,
})

const appUninstalled = webhookEvent({
  type: 'app.uninstalled',
  summary: 'An app was uninstalled in the catalog',
  permission: 'apps:read',
  data,
})

export const appEvents = [appInstalled, appUninstalled]

interface Change {
  organizationId: string
  installed: boolean
  data: z.input<typeof data>
}

/** On the transaction that records the change. */
export const emitApp = (tx: Database, emitting: EmitDependencies, { installed, ...change }: Change): Promise<void> =>
  emitWebhook(tx, emitting, { ...change, event: installed ? appInstalled : appUninstalled })
