import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import { transact } from '#lib/db.ts'
import { findMissing } from '#lib/incoming-webhooks/received.ts'
import { storeReceived } from '#lib/incoming-webhooks/store.ts'
import { providerEndpoints, settlementItems } from '../schema.ts'
import { payerOf, type EndpointWork, type Payer } from './account.ts'
import { describeEvent, ProviderEvent } from './provider-event.ts'
import { stripeEvents } from './receive.ts'
import { webhookPath } from './register.ts'
import type { EndpointRow } from './secrets.ts'

export type SearchWork = EndpointWork & Pick<Call, 'queue'>

/** Events can appear in the list later than newer ones. */
const overlapMs = 60 * 60 * 1000
const pageSize = 100
/** Of one search; the next one goes on where it ended. */
const maxPages = 20

/** Stores events of the provider’s list that were never delivered. Returns how many. @throws {Problem} of the gateway */
export async function findLostEvents(work: SearchWork, endpoint: EndpointRow): Promise<number> {
  const payer = await payerOf(work, endpoint)
  if (!payer) return 0
  return endpoint.scope === 'account' ? searchOwn(work, endpoint, payer) : searchConnected(work, endpoint, payer)
}

async function searchOwn(work: SearchWork, endpoint: EndpointRow, payer: Payer): Promise<number> {
  const { search } = endpoint
  const since = search ? new Date(search.newest) : sinceOf(endpoint)
  const from = search ? new Date(search.from) : new Date(since.getTime() - overlapMs)
  const { found, newest, cursor } = await readList(work, endpoint, { payer, from, since, cursor: search?.cursor })
  await advance(
    work,
    endpoint,
    cursor === undefined
      ? { searchedUntil: newest, search: null }
      : { search: { cursor, newest: newest.toISOString(), from: from.toISOString() } },
  )
  return found
}

const recentMs = 30 * 24 * 60 * 60 * 1000
const maxAccounts = 100

/** Of the accounts that were paid last: a payout can return long after it arrived. */
async function searchConnected(work: SearchWork, endpoint: EndpointRow, payer: Payer): Promise<number> {
  const since = sinceOf(endpoint)
  const from = new Date(since.getTime() - overlapMs)
  let found = 0
  let until = since
  for (const account of await recentRecipients(work, endpoint)) {
    const searched = await readList(work, endpoint, { payer, from, since, account })
    found += searched.found
    if (searched.newest > until) until = searched.newest
  }
  await advance(work, endpoint, { searchedUntil: until })
  return found
}

async function recentRecipients({ db, now }: SearchWork, { organizationId }: EndpointRow): Promise<Set<string>> {
  const { recipient, changedAt, organizationId: owner } = settlementItems
  const rows = await db
    .select({ recipient })
    .from(settlementItems)
    .where(
      and(
        gt(changedAt, new Date(now().getTime() - recentMs)),
        organizationId === null ? undefined : eq(owner, organizationId),
      ),
    )
    .groupBy(recipient)
    .orderBy(desc(sql`max(${changedAt})`))
    .limit(maxAccounts)
  return new Set(rows.map((row) => row.recipient))
}

const sinceOf = ({ searchedUntil, createdAt }: EndpointRow): Date => searchedUntil ?? createdAt

const advance = ({ db }: SearchWork, { id }: EndpointRow, progress: Partial<EndpointRow>) =>
  db.update(providerEndpoints).set(progress).where(eq(providerEndpoints.id, id))

interface ListRequest {
  payer: Payer
  from: Date
  since: Date
  cursor?: string | undefined
  /** A connected one. */
  account?: string
}

/** The newest first. `cursor` is set where more remains than one search reads. */
async function readList(
  work: SearchWork,
  endpoint: EndpointRow,
  { payer, from, since, account, ...request }: ListRequest,
) {
  let { cursor } = request
  let newest = since
  let found = 0
  for (let page = 0; page < maxPages; page++) {
    const { items, nextCursor } = await work.gateway.payments.listEvents({
      ...payer,
      limit: pageSize,
      createdFrom: from.toISOString(),
      ...(cursor !== undefined && { cursor }),
      ...(account !== undefined && { account }),
    })
    found += await storeMissing(
      work,
      endpoint,
      items.map(({ payload }) => payload),
    )
    for (const { createdAt } of items) if (createdAt > newest) newest = createdAt
    cursor = nextCursor ?? undefined
    if (cursor === undefined) break
  }
  return { found, newest, cursor }
}

async function storeMissing(
  work: SearchWork,
  { organizationId }: EndpointRow,
  payloads: readonly string[],
): Promise<number> {
  const events = new Map(
    payloads.map((payload) => {
      const event = describeEvent(ProviderEvent.parse(JSON.parse(payload)), organizationId)
      return [event.id, { ...event, raw: Buffer.from(payload), isListed: true as const }]
    }),
  )
  const missing = await findMissing(work.db, webhookPath, [...events.keys()])
  // The oldest first, as they would have been delivered.
  const lost = [...events.values()].filter(({ id }) => missing.has(id)).toReversed()
  if (lost.length === 0) return 0
  return transact(work.db, async (tx) => {
    let stored = 0
    for (const event of lost) if (await storeReceived(tx, work, stripeEvents, event)) stored += 1
    return stored
  })
}
