import { eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { emitWebhook, type EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { webhookEvent } from '#lib/outgoing-webhooks/event.ts'
import { apiKeys, services } from '../schema.ts'
import { KeyMode, type ApiKeyRow } from './contract.ts'

const permission = 'role:admin'

const Key = z.object({
  keyId: Id,
  name: z.string(),
  service: z.string().describe('The slug of the service that it is for.'),
  mode: KeyMode,
  agentId: Id.nullable(),
})

const keyCreated = webhookEvent({
  type: 'key.created',
  summary: 'An API key was created',
  permission,
  data: Key.extend({
    scopes: z.array(z.string()),
    rotatedFrom: Id.nullable().describe('The key that it replaces.'),
  }),
})

const keyRevoked = webhookEvent({
  type: 'key.revoked',
  summary: 'An API key was revoked',
  permission,
  data: Key,
})

export const keyEvents = [keyCreated, keyRevoked]

type CreatedKey = Pick<ApiKeyRow, 'id' | 'name' | 'service' | 'mode' | 'agentId' | 'scopes' | 'rotatedFrom'>

/** On the transaction that created it. */
export const emitKeyCreated = (
  tx: Database,
  emitting: EmitDependencies,
  organizationId: string,
  key: CreatedKey,
): Promise<void> => emitWebhook(tx, emitting, { organizationId, event: keyCreated, data: { ...key, keyId: key.id } })

/** On the transaction that revoked them. */
export async function emitKeysRevoked(
  tx: Database,
  emitting: EmitDependencies,
  revoked: readonly { id: string }[],
): Promise<void> {
  if (revoked.length === 0) return
  const ids = revoked.map(({ id }) => id)
  const rows = await tx
    .select({
      keyId: apiKeys.id,
      organizationId: apiKeys.organizationId,
      name: apiKeys.name,
      service: services.slug,
      mode: apiKeys.mode,
      agentId: apiKeys.agentId,
    })
    .from(apiKeys)
    .innerJoin(services, eq(services.id, apiKeys.serviceId))
    .where(inArray(apiKeys.id, ids))
  for (const { organizationId, ...data } of rows)
    await emitWebhook(tx, emitting, { organizationId, event: keyRevoked, data })
}
