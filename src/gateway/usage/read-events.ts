import type { z } from 'zod'
import { newId } from '#lib/ids.ts'
import { fieldErrors } from '#lib/request/input.ts'
import { UsageCloudEvent, UsageEvent, type UsageRejection } from '../contract/usage-events.ts'
import { digestPayload, type UsageRow } from './insert.ts'
import { dayMs } from './partitions.ts'

export interface Reporter {
  /** Null for services, which report for any organization. */
  organizationId: string | null
  apiKeyId: string | null
}

interface Bounds {
  now: Date
  /** Days that rows are kept: older ones can't be told apart from repeated ones. */
  rawDays: number
}

export interface ReadEvents {
  rows: UsageRow[]
  /** The position in the body of each row. */
  positions: number[]
  rejected: UsageRejection[]
}

/** For clocks that are ahead of ours. */
const toleranceMs = 60 * 60 * 1000

/** Each event is valid or rejected by itself. */
export function readEvents(events: readonly unknown[], reporter: Reporter, { now, rawDays }: Bounds): ReadEvents {
  const read: ReadEvents = { rows: [], positions: [], rejected: [] }
  const times = { now, rawDays, oldest: now.getTime() - rawDays * dayMs, latest: now.getTime() + toleranceMs }
  for (const [index, given] of events.entries()) {
    const row = readEvent(given, reporter, times)
    if ('code' in row) read.rejected.push({ index, ...row })
    else {
      read.rows.push(row)
      read.positions.push(index)
    }
  }
  return read
}

type Rejection = Omit<UsageRejection, 'index'>

function readEvent(
  given: unknown,
  reporter: Reporter,
  { now, rawDays, oldest, latest }: Bounds & { oldest: number; latest: number },
): UsageRow | Rejection {
  const isCloudEvent = typeof given === 'object' && given !== null && 'specversion' in given
  const { data, error } = isCloudEvent ? UsageCloudEvent.safeParse(given) : UsageEvent.safeParse(given)
  if (error) return { code: 'invalid', message: describeIssues(error.issues) }
  const event = 'specversion' in data ? fromCloudEvent(data) : data
  const organizationId = event.organizationId?.toLowerCase() ?? reporter.organizationId
  if (organizationId === null) return { code: 'invalid', message: 'organizationId: Required.' }
  if (reporter.organizationId !== null && organizationId !== reporter.organizationId)
    return {
      code: 'foreign_organization',
      message: 'organizationId: You can only report usage of your own organization.',
    }
  const { occurredAt = now } = event
  if (occurredAt.getTime() < oldest)
    return { code: 'too_old', message: `occurredAt: Must be within the last ${rawDays} days.` }
  if (occurredAt.getTime() > latest)
    return { code: 'in_the_future', message: 'occurredAt: Must not be more than an hour ahead. Check your clock.' }
  const paidBy = reporter.organizationId === null ? 'platform' : 'organization'
  return rowOf(event, { organizationId, apiKeyId: reporter.apiKeyId, paidBy, occurredAt })
}

const fromCloudEvent = ({ id, time, data }: z.output<typeof UsageCloudEvent>): UsageEvent => ({
  ...data,
  requestId: id,
  occurredAt: time,
})

type Reported = Pick<UsageRow, 'organizationId' | 'apiKeyId' | 'paidBy' | 'occurredAt'>

const rowOf = (event: UsageEvent, given: Reported): UsageRow => ({
  id: newId(),
  ...given,
  requestId: event.requestId,
  applicationId: event.applicationId,
  userId: event.userId,
  family: event.family,
  provider: event.provider,
  model: event.model,
  unit: event.unit,
  quantity: event.quantity,
  costNanoUsd: BigInt(event.costNanoUsd),
  certainty: 'exact',
  priceDate: null,
  metadata: event.metadata,
  payloadDigest: digestEvent(event),
})

/** Without the time when it wasn't sent: a retry is reported later. */
const digestEvent = (event: UsageEvent): string =>
  digestPayload([
    event.applicationId,
    event.userId,
    event.family,
    event.provider,
    event.model,
    event.unit,
    event.quantity,
    event.costNanoUsd,
    event.occurredAt?.getTime(),
    Object.entries(event.metadata).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ])

const maxErrors = 10

const describeIssues = (issues: readonly z.core.$ZodIssue[]): string =>
  issues
    .flatMap((issue) => fieldErrors(issue))
    .slice(0, maxErrors)
    .map(({ path, message }) => (path ? `${path}: ${message}` : message))
    .join(' ')
