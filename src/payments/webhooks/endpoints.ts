import { and, asc, eq, isNull, or } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound, Problem } from '#lib/errors.ts'
import { publicUrl } from '#lib/public-url.ts'
import type { EndpointSecret, ProviderEndpoint, ProviderEndpoints } from '../contract/webhooks.ts'
import { providerEndpoints as table } from '../schema.ts'
import { accountOf, ownsAccount, requireAccountOwner, type EndpointAccount } from './account.ts'
import {
  findEndpoint,
  forgetMissing,
  insertEndpoint,
  registerEndpoint,
  webhookPath,
  type EndpointPlace,
} from './register.ts'
import { scopes } from './ensure-endpoint.ts'
import { sealSecret, type EndpointRow } from './secrets.ts'

type EndpointCall<Input = unknown> = Call<Input, Actor>

const hourMs = 60 * 60 * 1000

export async function hasOwnEndpoint(db: Database, organizationId: string): Promise<boolean> {
  const [row] = await db.select({ id: table.id }).from(table).where(eq(table.organizationId, organizationId)).limit(1)
  return row !== undefined
}

const describe = (row: EndpointRow): z.input<typeof ProviderEndpoint> => ({
  ...row,
  own: row.organizationId !== null,
  hasSecret: row.sealedSecret !== null,
})

/** Those of the organization’s own account, and of the platform’s. */
export async function listEndpoints(call: EndpointCall): Promise<z.input<typeof ProviderEndpoints>> {
  const { db, actor, identity } = call
  const organizationId = organizationOf(actor, 'settings:read')
  const rows = await db
    .select()
    .from(table)
    .where(or(eq(table.organizationId, organizationId), isNull(table.organizationId)))
    .orderBy(asc(table.id))
  const update = isAllowed(actor, 'settings:write', await identity.serviceId('platform-pay'))
  return { items: rows.map(describe), can: { update, register: update && (await canRegister(call, organizationId)) } }
}

/** True while that isn’t known, so that registering says what is wrong. */
const canRegister = async (call: EndpointCall, organizationId: string): Promise<boolean> =>
  accountOf(call, organizationId).then(
    (account) => ownsAccount(call.actor, account),
    (error: unknown) => {
      if (error instanceof Problem) return true
      throw error
    },
  )

/** Of the account that the organization’s payments are made with. @throws {Problem} of the gateway */
export async function addEndpoints(
  call: EndpointCall<{ register: boolean }>,
): Promise<z.input<typeof ProviderEndpoints>> {
  const organizationId = organizationOf(call.actor, 'settings:write')
  const account = await accountOf(call, organizationId)
  requireAccountOwner(call.actor, account)
  const { origin } = new URL(publicUrl(webhookPath, call.config, call.request))
  const items: EndpointRow[] = []
  for (const scope of scopes) {
    const place = { ...account, scope, origin, payer: organizationId }
    const row = call.input.register ? await renewEndpoint(call, place) : await reserveEndpoint(call, place)
    if (row) items.push(row)
  }
  await auditedTransaction(call, async (tx) => {
    for (const row of items)
      recordChange(tx, { object: 'payment_webhook_endpoint', id: row.id, after: auditFields(row) })
  })
  return { items: items.map(describe), can: { update: true, register: true } }
}

async function renewEndpoint(call: EndpointCall, place: EndpointPlace): Promise<EndpointRow> {
  await forgetMissing(call, place)
  return registerEndpoint(call, place)
}

const reserveEndpoint = async (call: EndpointCall, place: EndpointPlace): Promise<EndpointRow | undefined> =>
  (await insertEndpoint(call, place, call.now())) ?? findEndpoint(call, place)

const auditFields = ({ provider, mode, scope, url, previousSecretEndsAt }: EndpointRow) => ({
  provider,
  mode,
  scope,
  url,
  previousSecretEndsAt,
})

/** Only of the organization’s own account. @throws {Problem} 404 */
export async function setSecret(call: EndpointCall<EndpointSecret>): Promise<z.input<typeof ProviderEndpoint>> {
  const { db, input, secrets, now } = call
  const { id, secret, overlapHours } = input
  const own = and(eq(table.id, id), eq(table.organizationId, organizationOf(call.actor, 'settings:write')))
  const [before] = await db.select().from(table).where(own).for('update')
  if (!before) throw notFound('webhook endpoint')
  const overlaps = before.sealedSecret !== null && overlapHours > 0
  const [row = before] = await db
    .update(table)
    .set({
      sealedSecret: sealSecret(secrets, id, secret),
      claimedAt: null,
      sealedPreviousSecret: overlaps ? before.sealedSecret : null,
      previousSecretEndsAt: overlaps ? new Date(now().getTime() + overlapHours * hourMs) : null,
    })
    .where(own)
    .returning()
  recordChange(db, {
    object: 'payment_webhook_endpoint',
    id,
    before: auditFields(before),
    after: { ...auditFields(row), secret: 'replaced' },
  })
  return describe(row)
}

/** Whose events are listed to find lost ones: of the account that the organization’s payments are made with. */
export async function endpointsOf(call: EndpointCall): Promise<EndpointRow[]> {
  const organizationId = organizationOf(call.actor, 'settings:write')
  const account: EndpointAccount = await accountOf(call, organizationId)
  requireAccountOwner(call.actor, account)
  const rows = await Promise.all(scopes.map((scope) => findEndpoint(call, { ...account, scope })))
  return rows.filter((row) => row !== undefined)
}
