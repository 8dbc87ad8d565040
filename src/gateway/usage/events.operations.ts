import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import { invalid, Problem, retryLater } from '#lib/errors.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { maxUsageEvents, usageBodies, UsageReceipt } from '../contract/usage-events.ts'
import { readEvents, type ReadEvents, type Reporter } from './read-events.ts'
import type { Provided } from '#lib/call.ts'

const mebibyte = 1024 * 1024

export const reportUsage = operation({
  route: 'POST /platform/usage/events',
  summary: 'Report usage',
  permission: 'usage:write',
  services: true,
  limit: 'ingestion',
  // It would be as large as what it records.
  audit: false,
  transaction: false,
  body: { as: 'bytes', limit: 4 * mebibyte, describedAs: usageBodies },
  input: z.object({}),
  output: UsageReceipt,
  answers: { 202: UsageReceipt },
  problems: { busy: 503, queue_unavailable: 503, identity_unavailable: 503 },
  run: async ({ body, request, actor, config, ledger, usageQueue, identity, now }) => {
    const events = parseEvents(request.headers.get('content-type') ?? '', body)
    const read = readEvents(events, reporterOf(actor), { now: now(), rawDays: config.USAGE_RAW_DAYS })
    // Keys and people report for the organization that they were just let into.
    const isService = actor.tokenType === 'service'
    const { rows, positions, rejected } = isService ? await rejectUnknown(read, identity) : read
    if (usageQueue) {
      const stored = await withRoomFor(rows.length, () => usageQueue.publish(rows))
      return reply(202, { ...stored, rejected })
    }
    const { inserted, duplicates, conflicts } = await withRoomFor(rows.length, () =>
      ledger.commit(rows, { durable: true }),
    )
    for (const row of conflicts)
      rejected.push({
        index: positions[rows.indexOf(row)] ?? 0,
        code: 'conflict',
        message: `requestId: ${row.requestId} was already reported with other data.`,
      })
    rejected.sort((one, other) => one.index - other.index)
    return reply(202, { accepted: inserted.length, duplicates: duplicates.length, rejected })
  },
})

/** Of organizations that don’t exist. @throws {Problem} 503 `identity_unavailable` */
async function rejectUnknown(
  { rows, positions, rejected }: ReadEvents,
  identity: Pick<Provided['identity'], 'organizationState'>,
): Promise<ReadEvents> {
  const ids = [...new Set(rows.map(({ organizationId }) => organizationId))]
  const states = await Promise.all(ids.map((id) => identity.organizationState(id)))
  const unknown = new Set(ids.filter((_, at) => !states[at]?.exists))
  if (unknown.size === 0) return { rows, positions, rejected }
  const kept = rows.flatMap((row, at) => (unknown.has(row.organizationId) ? [] : [{ row, at: positions[at] ?? 0 }]))
  const refused = rows.flatMap((row, at) => (unknown.has(row.organizationId) ? [positions[at] ?? 0] : []))
  const message = 'organizationId: This organization doesn’t exist.'
  return {
    rows: kept.map(({ row }) => row),
    positions: kept.map(({ at }) => at),
    rejected: [
      ...rejected,
      ...refused.map((index) => ({ index, code: 'unknown_organization' as const, message })),
    ].toSorted((one, other) => one.index - other.index),
  }
}

/** About 50 MB: reports that wait for a slow or unreachable database must not fill the memory. */
const maxWaitingRows = 50_000
let waitingRows = 0

async function withRoomFor<Result>(rows: number, run: () => Promise<Result>): Promise<Result> {
  if (waitingRows + rows > maxWaitingRows)
    throw retryLater(503, 'busy', 'Too many events are waiting. Send this request again in a few seconds.')
  waitingRows += rows
  try {
    return await run()
  } finally {
    waitingRows -= rows
  }
}

const reporterOf = (actor: Actor): Reporter => ({
  organizationId: actor.tokenType === 'service' ? null : organizationOf(actor, 'usage:write'),
  apiKeyId: actor.tokenType === 'api_key' ? actor.credential.id : null,
})

const decoder = new TextDecoder('utf-8', { fatal: true })

/** @throws {Problem} 400, 413, 415 and 422 for a body that isn't a list of events */
function parseEvents(contentType: string, body: Uint8Array): unknown[] {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (!Object.hasOwn(usageBodies, type))
    throw new Problem(415, 'unsupported_media_type', `Send the body as ${Object.keys(usageBodies).join(', ')}.`)
  const parsed = parseJson(body)
  const isBatch = type === 'application/cloudevents-batch+json'
  if (Array.isArray(parsed) ? type === 'application/cloudevents+json' : isBatch)
    throw invalid([{ path: '', message: isBatch ? 'Must be a list of events.' : 'Must be one event, not a list.' }])
  const events: unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  if (events.length > maxUsageEvents)
    throw new Problem(413, 'body_too_large', `Send at most ${maxUsageEvents} events in one request.`)
  return events
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(body))
  } catch (cause) {
    throw new Problem(400, 'malformed', 'The body is not valid JSON in UTF-8.', { cause })
  }
}
