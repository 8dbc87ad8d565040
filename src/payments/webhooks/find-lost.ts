import { eq } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import { transact } from '#lib/db.ts'
import { forEachSettled } from '#lib/each.ts'
import { Problem } from '#lib/errors.ts'
import { findMissing } from '#lib/incoming-webhooks/received.ts'
import { storeReceived } from '#lib/incoming-webhooks/store.ts'
import { providerEndpoints } from '../schema.ts'
import type { EventSearch } from '../schema/webhooks.ts'
import { payerOf, type EndpointWork, type Payer } from './account.ts'
import { nextConnected, saveProgress } from './connected.ts'
import { describeEvent, ProviderEvent } from './provider-event.ts'
import { stripeEvents } from './receive.ts'
import { webhookPath } from './register.ts'
import type { EndpointRow } from './secrets.ts'

export type SearchWork = EndpointWork & Pick<Call, 'queue' | 'events'>

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

/** How far a list was searched. */
interface Progress {
  searchedUntil: Date
  search: EventSearch | null
}

async function searchOwn(work: SearchWork, endpoint: EndpointRow, payer: Payer): Promise<number> {
  const { search } = endpoint
  const { found, progress } = await searchList(work, endpoint, { searchedUntil: sinceOf(endpoint), search }, { payer })
  await work.db.update(providerEndpoints).set(progress).where(eq(providerEndpoints.id, endpoint.id))
  return found
}

/** Accounts of one search; the others are next. */
const maxAccounts = 100
const concurrency = 4

/** A failure of one account doesn’t stop the others. @throws when all of them fail */
async function searchConnected(work: SearchWork, endpoint: EndpointRow, payer: Payer): Promise<number> {
  const accounts = await nextConnected(work, endpoint, maxAccounts)
  const failures: unknown[] = []
  let found = 0
  await forEachSettled(
    accounts,
    async ({ account, ...progress }) => {
      try {
        const searched = await searchList(work, endpoint, progress, { payer, account })
        await saveProgress(work, endpoint, account, searched.progress)
        found += searched.found
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        failures.push(error)
        work.log.warn('The events of a connected account couldn’t be listed', { account, code: error.code })
        await saveProgress(work, endpoint, account, progress)
      }
    },
    concurrency,
  )
  if (failures.length > 0 && failures.length === accounts.length) throw failures[0]
  return found
}

async function searchList(
  work: SearchWork,
  endpoint: EndpointRow,
  { searchedUntil, search }: Progress,
  request: Pick<ListRequest, 'payer' | 'account'>,
): Promise<{ found: number; progress: Progress }> {
  const since = search ? new Date(search.newest) : searchedUntil
  const from = search ? new Date(search.from) : new Date(since.getTime() - overlapMs)
  const list = { ...request, from, since, cursor: search?.cursor }
  const { found, newest, cursor } = await readList(work, endpoint, list)
  return {
    found,
    progress:
      cursor === undefined
        ? { searchedUntil: newest, search: null }
        : { searchedUntil, search: { cursor, newest: newest.toISOString(), from: from.toISOString() } },
  }
}

const sinceOf = ({ searchedUntil, createdAt }: EndpointRow): Date => searchedUntil ?? createdAt

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
