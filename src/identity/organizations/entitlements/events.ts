import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { emitWebhook, type EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { webhookEvent } from '#lib/outgoing-webhooks/event.ts'

/** The dashboard’s catalog reads the same. */
const shared = {
  service: 'platform-dashboard-api',
  permission: 'apps:read',
  data: z.object({ appId: Id, slug: z.string(), name: z.string(), changedBy: Id }),
} as const

const appInstalled = webhookEvent({ ...shared, type: 'app.installed', summary: 'An app was installed' })
const appUninstalled = webhookEvent({ ...shared, type: 'app.uninstalled', summary: 'An app was uninstalled' })

export const appEvents = [appInstalled, appUninstalled]

interface Change {
  organizationId: string
  app: { id: string; slug: string; name: string }
  /** A person. */
  by: string
}

const emit = (event: typeof appInstalled, tx: Database, emitting: EmitDependencies, change: Change): Promise<void> => {
  const { organizationId, app, by } = change
  const data = { appId: app.id, slug: app.slug, name: app.name, changedBy: by }
  return emitWebhook(tx, emitting, { organizationId, event, data })
}

/** On the transaction that installs it. */
export const emitInstalled = (tx: Database, emitting: EmitDependencies, change: Change): Promise<void> =>
  emit(appInstalled, tx, emitting, change)

/** On the transaction that uninstalls it. */
export const emitUninstalled = (tx: Database, emitting: EmitDependencies, change: Change): Promise<void> =>
  emit(appUninstalled, tx, emitting, change)
