import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import {
  countReceivedOf,
  findReceived,
  listFailed,
  listReceived,
  replayReceived,
} from '#lib/incoming-webhooks/received.ts'
import type { PageOf } from '#lib/paginate.ts'
import type { ReceivedRow } from '#lib/incoming-webhooks/contract.ts'
import type {
  ProviderEventFilter,
  ProviderEventState,
  ReceivedProviderEvent,
  ReceivedProviderEventDetails,
  ReceivedProviderEventList,
} from '../contract/webhooks.ts'
import { hasOwnEndpoint } from './endpoints.ts'
import { providerIdOf } from './provider-event.ts'
import { webhookName } from './receive.ts'
import { readRejected } from './rejected.ts'

type EventCall = Call<unknown, Actor>

const ownerOf = ({ actor }: Pick<EventCall, 'actor'>) => ({
  webhook: webhookName,
  organizationId: organizationOf(actor, 'payments:read'),
})

const stateOf = (state: ReceivedRow['state']): ProviderEventState => (state === 'handled' ? 'processed' : state)

const storedState = (state: ProviderEventState): ReceivedRow['state'] => (state === 'processed' ? 'handled' : state)

const describeRow = (row: ReceivedRow): z.input<typeof ReceivedProviderEvent> => ({
  ...row,
  eventId: providerIdOf(row.eventId),
  state: stateOf(row.state),
})

export async function listEventRows(
  call: Pick<EventCall, 'db' | 'actor'>,
  { state, q, limit, cursor, ...conditions }: ProviderEventFilter,
): Promise<PageOf<z.input<typeof ReceivedProviderEvent>>> {
  const { items, nextCursor } = await listReceived(call.db, {
    ...conditions,
    objectId: q,
    ...ownerOf(call),
    ...(state && (state === 'duplicate' ? { repeated: true } : { state: storedState(state) })),
    limit,
    ...(cursor !== undefined && { cursor }),
  })
  return { items: items.map(describeRow), nextCursor }
}

export async function listEvents(
  call: Call<ProviderEventFilter, Actor>,
): Promise<z.input<typeof ReceivedProviderEventList>> {
  const { db, input, now } = call
  const owner = ownerOf(call)
  const isOwn = await hasOwnEndpoint(db, owner.organizationId)
  const [{ items, nextCursor }, counts, rejected] = await Promise.all([
    listEventRows(call, input),
    countReceivedOf(db, owner),
    readRejected(db, isOwn ? owner.organizationId : null, now()),
  ])
  const { handled, ...others } = counts
  return {
    items,
    nextCursor,
    counts: { ...others, processed: handled, all: handled + others.waiting + others.failed + others.ignored },
    rejected,
    can: { replay: await canReplay(call) },
  }
}

const canReplay = async ({ actor, identity }: EventCall): Promise<boolean> =>
  isAllowed(actor, 'settings:write', await identity.serviceId('platform-pay'))

/** With a client secret a payment can be confirmed. */
const maskSecrets = (payload: string): string =>
  payload.replace(/("client_secret"\s*:\s*)"(?:[^"\\]|\\.)*"/g, '$1"••••"')

/** @throws {Problem} 404 */
export async function getEvent(call: EventCall, id: string): Promise<z.input<typeof ReceivedProviderEventDetails>> {
  const { body, attemptLog, ...row } = await findReceived(call.db, id, ownerOf(call))
  return {
    ...describeRow(row),
    payload: maskSecrets(body),
    attemptLog: [...attemptLog],
    can: { replay: await canReplay(call) },
  }
}

/** @throws {Problem} 404, and 409 while it is processed */
export const replayEvent = async (call: EventCall, id: string): Promise<z.input<typeof ReceivedProviderEvent>> =>
  describeRow(await replayReceived(call, id, ownerOf(call)))

const maxReplays = 100

/** The oldest ones first. */
export async function replayFailed(call: EventCall): Promise<{ replayed: number; remaining: number }> {
  const owner = ownerOf(call)
  const ids = await listFailed(call.db, owner, maxReplays)
  for (const id of ids) await replayReceived(call, id, owner)
  const { failed } = await countReceivedOf(call.db, owner)
  return { replayed: ids.length, remaining: failed }
}
