import { and, eq, isNull, lt, or, sql, type SQL } from 'drizzle-orm'
import { setTimeout as wait } from 'node:timers/promises'
import { nullFor404, retryLater, type Problem } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { providerEndpoints as table } from '../schema.ts'
import { payerFor, type EndpointAccount, type EndpointWork } from './account.ts'
import { sealSecret, type EndpointRow } from './secrets.ts'

export const webhookPath = '/webhooks/stripe'

export interface EndpointPlace extends EndpointAccount {
  scope: EndpointRow['scope']
  /** Of this server, as the provider reaches it. */
  origin: string
  /** The organization that the requests to the provider are made for. */
  payer?: string | undefined
}

/** A server that began longer ago has stopped. */
const claimMs = 60_000
const pollMs = 100
const maxPolls = 100

/** The registered endpoint. Whichever server is first registers it; others wait for that. @throws {Problem} of the gateway */
export async function registerEndpoint(work: EndpointWork, place: EndpointPlace): Promise<EndpointRow> {
  for (let polls = 0; polls < maxPolls; polls++) {
    const known = await findEndpoint(work, place)
    const row = known ?? (await insertEndpoint(work, place, work.now()))
    if (row?.sealedSecret) return row
    const claimed = row && (await claim(work, row.id))
    if (claimed) return createAtProvider(work, place, { row: claimed, isNew: !known })
    await wait(pollMs)
  }
  throw inProgress()
}

const inProgress = (): Problem =>
  retryLater(
    503,
    'webhook_endpoint_unavailable',
    'Another server is registering the webhook endpoint. Try again later.',
  )

/** Those of before accounts were stored count for the account that is used now. */
const ownerIs = ({ organizationId, provider, mode, accountKey }: EndpointAccount): SQL | undefined =>
  and(
    accountKey === null ? undefined : or(eq(table.accountKey, accountKey), isNull(table.accountKey)),
    organizationId === null ? isNull(table.organizationId) : eq(table.organizationId, organizationId),
    eq(table.provider, provider),
    eq(table.mode, mode),
  )

/** Of an account, for its own events or those of connected accounts. */
export async function findEndpoint(
  { db }: Pick<EndpointWork, 'db'>,
  place: EndpointAccount & Pick<EndpointPlace, 'scope'>,
): Promise<EndpointRow | undefined> {
  const [row] = await db
    .select()
    .from(table)
    .where(and(ownerIs(place), eq(table.scope, place.scope)))
    .orderBy(sql`${table.accountKey} NULLS LAST`)
    .limit(1)
  if (!row || row.accountKey !== null || place.accountKey === null) return row
  const { accountKey } = place
  await db
    .update(table)
    .set({ accountKey })
    .where(and(eq(table.id, row.id), isNull(table.accountKey)))
  return { ...row, accountKey }
}

/** Not registered yet, and not claimed. Undefined when there is one. */
export async function insertEndpoint(
  { db }: Pick<EndpointWork, 'db'>,
  { organizationId, provider, mode, accountKey, scope, origin }: Omit<EndpointPlace, 'payer'>,
  createdAt: Date,
): Promise<EndpointRow | undefined> {
  const id = newId()
  const url = new URL(`${webhookPath}?endpoint=${id}`, origin).href
  const [row] = await db
    .insert(table)
    .values({ id, organizationId, provider, mode, accountKey, scope, url, createdAt })
    .onConflictDoNothing()
    .returning()
  return row
}

/** An endpoint that the provider doesn’t have: it was deleted there, or the credential is another account’s now. */
export async function forgetMissing(work: EndpointWork, place: EndpointPlace): Promise<void> {
  const row = await findEndpoint(work, place)
  const id = row?.providerEndpointId
  if (
    !id ||
    (await work.gateway.payments.getWebhookEndpoint({ ...payerFor(place, place.payer), id }).catch(nullFor404))
  )
    return
  await work.db
    .update(table)
    .set({ providerEndpointId: null, sealedSecret: null, sealedPreviousSecret: null, previousSecretEndsAt: null })
    .where(and(eq(table.id, row.id), eq(table.providerEndpointId, id)))
}

/** Null while another server registers it. */
async function claim({ db, now }: EndpointWork, id: string): Promise<EndpointRow | null> {
  const at = now()
  const isFree = or(isNull(table.claimedAt), lt(table.claimedAt, new Date(at.getTime() - claimMs)))
  const [row] = await db
    .update(table)
    .set({ claimedAt: at })
    .where(and(eq(table.id, id), isNull(table.sealedSecret), isFree))
    .returning()
  return row ?? null
}

interface Claimed {
  row: EndpointRow
  isNew: boolean
}

async function createAtProvider(
  work: EndpointWork,
  place: EndpointPlace,
  { row, isNew }: Claimed,
): Promise<EndpointRow> {
  const { db, gateway, secrets } = work
  const payer = payerFor(place, place.payer)
  try {
    if (!isNew) await deleteLeftovers(work, place, row)
    const created = await gateway.payments.createWebhookEndpoint({
      ...payer,
      // Of this claim: another one may follow long after the provider has forgotten the key.
      idempotencyKey: `${row.id}:${row.claimedAt?.getTime()}`,
      url: row.url,
      enabledEvents: ['*'],
      description: 'Atrium payments',
      connect: row.scope === 'connect',
    })
    if (!created.secret) throw new Error(`The provider returned no secret for webhook endpoint ${row.id}`)
    const sealedSecret = sealSecret(secrets, row.id, created.secret)
    const [registered = row] = await db
      .update(table)
      .set({ sealedSecret, providerEndpointId: created.id, claimedAt: null })
      .where(eq(table.id, row.id))
      .returning()
    return registered
  } catch (error) {
    await db
      .update(table)
      .set({ claimedAt: null })
      .where(and(eq(table.id, row.id), isNull(table.sealedSecret)))
    throw error
  }
}

/** Of a server that stopped before it had stored the secret, which the provider doesn’t return again. */
async function deleteLeftovers({ gateway }: EndpointWork, place: EndpointPlace, row: EndpointRow): Promise<void> {
  const payer = payerFor(place, place.payer)
  const { items } = await gateway.payments.listWebhookEndpoints({ ...payer, limit: 100 })
  for (const { id, url } of items)
    if (url === row.url)
      await gateway.payments.deleteWebhookEndpoint({ ...payer, id, idempotencyKey: `${row.id}:${id}` })
}
