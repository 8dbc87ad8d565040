import { and, eq, isNotNull } from 'drizzle-orm'
import { nullFor404 } from '#lib/errors.ts'
import type { ErasureWork } from '#lib/tenant-data.ts'
import { providerEndpoints } from '../schema.ts'
import { payerOf } from '../webhooks/account.ts'

/** Webhook endpoints at accounts of the organization’s own. @throws {Problem} of the gateway */
export async function deleteEndpoints({ database: { db }, ...rest }: ErasureWork, organizationId: string) {
  const { gateway } = rest
  const rows = await db
    .select()
    .from(providerEndpoints)
    .where(and(eq(providerEndpoints.organizationId, organizationId), isNotNull(providerEndpoints.providerEndpointId)))
  for (const row of rows) {
    const { id, providerEndpointId } = row
    const payer = await payerOf({ ...rest, db }, row)
    if (!payer || providerEndpointId === null) continue
    const request = { ...payer, id: providerEndpointId, idempotencyKey: `${id}:${providerEndpointId}` }
    await gateway.payments.deleteWebhookEndpoint(request).catch(nullFor404)
  }
}
