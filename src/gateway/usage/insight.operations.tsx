import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { paging } from '#lib/paginate.ts'
import { plainText } from '#lib/text.ts'
import { organizationOf } from '#lib/authorize.ts'
import { Failures } from '#views/gateway/failures.tsx'
import { LatencyByDay } from '#views/gateway/models/latency.tsx'
import { CallsPerHour, TodayStats, TelemetryByModel } from '#views/gateway/telemetry.tsx'
import { VerificationCard } from '#views/gateway/verification.tsx'
import { ProviderFailureList, ProviderTelemetryList, TelemetryDimension } from '../contract/telemetry.ts'
import { UsageAnomalies } from '../contract/usage.ts'
import { UsageVerification } from '../contract/usage-verify.ts'
import { readAnomalies } from './anomalies.ts'
import { nameRecords } from '../names.ts'
import { listFailures } from './failures.ts'
import { dayAfter, dayOf } from './partitions.ts'
import { filterInput, rangeInput } from '../contract/usage-filters.ts'
import { listOfNames, organizationFor, rangeOf } from './range.ts'
import { listTelemetry } from './telemetry.ts'
import { verifyBudgets, verifyDaily } from './verify.ts'

const maxDays = 31
const maxDifferences = 100

export const verifyUsage = operation({
  route: 'GET /api/usage/verify',
  summary: 'Verify usage totals',
  permission: 'usage:read',
  input: z.object(rangeInput),
  output: UsageVerification,
  run: async ({ input, actor, db, config, now }) => {
    const organizationId = organizationFor(actor, input.organizationId)
    const oldest = dayAfter(dayOf(now()), -config.USAGE_RAW_DAYS)
    const wanted = rangeOf(input, now(), maxDays)
    const range = { ...wanted, from: wanted.from > oldest ? wanted.from : oldest, organizationId }
    const { raw, daily, differences } = await verifyDaily(db, range)
    const budgets = await verifyBudgets(db, range)
    const all = [...differences, ...budgets.differences]
    return {
      agrees: all.length === 0,
      from: range.from,
      to: range.to,
      rows: raw.count,
      raw,
      daily,
      budgets: budgets.periods,
      writtenOffNanoUsd: budgets.writtenOff,
      differences: all.slice(0, maxDifferences),
    }
  },
  view: (verification, { input }) => <VerificationCard verification={verification} query={input} />,
})

export const listProviderTelemetry = operation({
  route: 'GET /api/telemetry',
  summary: 'List telemetry of provider calls',
  permission: 'usage:read',
  input: z.object({
    ...rangeInput,
    groupBy: listOfNames(TelemetryDimension).describe('By default provider and model.'),
    provider: plainText(200).optional(),
    model: plainText(200).optional(),
    ...paging,
  }),
  output: ProviderTelemetryList,
  run: async ({ input, actor, db, ledger, now }) => {
    await ledger.settled()
    const { groupBy = ['provider', 'model'], from, to, organizationId, ...query } = input
    const last = to ?? dayOf(now())
    // By default today and the day before.
    const range = rangeOf({ from: from ?? dayAfter(last, -1), to: last }, now(), maxDays)
    return listTelemetry(db, groupBy, { ...query, ...range, organizationId: organizationFor(actor, organizationId) })
  },
  view: ({ items }, { input, now }) => {
    if (input.groupBy?.join() === 'hour') return <CallsPerHour items={items} />
    if (input.groupBy?.join() === 'day')
      return input.model === undefined ? (
        <TodayStats today={dayOf(now())} items={items} />
      ) : (
        <LatencyByDay items={items} />
      )
    return <TelemetryByModel items={items} />
  },
})

const failureMs = 24 * 60 * 60 * 1000

export const listProviderFailures = operation({
  route: 'GET /api/telemetry/failures',
  summary: 'List recent failures and fallbacks of provider calls',
  permission: 'usage:read',
  input: z.object(paging),
  output: ProviderFailureList,
  run: async (call) => {
    const { input, actor, db, ledger, now } = call
    await ledger.settled()
    const organizationId = organizationOf(actor, 'usage:read')
    const since = new Date(now().getTime() - failureMs).toISOString()
    const { items, nextCursor } = await listFailures(db, { ...input, organizationId, since })
    return { items: await nameRecords(call, items), nextCursor }
  },
  view: ({ items }) => <Failures items={items} />,
})

export const listUsageAnomalies = operation({
  route: 'GET /api/usage/anomalies',
  summary: 'List days with unusual usage',
  permission: 'usage:read',
  input: z.object({ ...rangeInput, ...filterInput }),
  output: UsageAnomalies,
  run: async ({ input, actor, db, now }) => {
    const { from, to, organizationId, ...filters } = input
    const range = rangeOf({ from, to }, now(), maxDays)
    const scope = { ...range, filters, organizationId: organizationFor(actor, organizationId) }
    return { items: await readAnomalies(db, scope, now()) }
  },
})
