import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { paging } from '#lib/paginate.ts'
import { LatestCalls } from '#views/gateway/latest-calls.tsx'
import { UsageDayList, UsageDimension, UsageList, usageDimensions } from '../contract/usage.ts'
import { nameRecords } from '../names.ts'
import { filterInput, rangeInput } from '../contract/usage-filters.ts'
import { dayOf } from './partitions.ts'
import { listOfNames, organizationFor, rangeOf } from './range.ts'
import { listRecords, listTotals, needsRecords } from './reads.ts'

/** Records of all organizations are in no index by time. */
const maxDays = { records: 31, recordsOfAll: 2, totals: 366 }

const dailyDimensions = usageDimensions.filter((one) => one !== 'day' && one !== 'brand' && one !== 'post')

export const listUsage = operation({
  route: 'GET /api/usage',
  summary: 'List usage records or totals',
  permission: 'usage:read',
  input: z.object({
    ...rangeInput,
    ...filterInput,
    groupBy: listOfNames(UsageDimension).describe('Totals by these, separated by commas, instead of single records.'),
    ...paging,
  }),
  output: UsageList,
  run: async (call) => {
    const { actor, db, ledger, now } = call
    await ledger.settled()
    const { groupBy, from, to, organizationId, limit, cursor, ...filters } = call.input
    const ofAll = organizationId === 'all' && !groupBy
    const isRecords = !groupBy || needsRecords(groupBy)
    const range = ofAll
      ? rangeOf({ from: from ?? to ?? dayOf(now()), to }, now(), maxDays.recordsOfAll)
      : rangeOf({ from, to }, now(), isRecords ? maxDays.records : maxDays.totals)
    const query = { ...range, organizationId: organizationFor(actor, organizationId), filters, limit, cursor }
    if (groupBy) return listTotals(db, groupBy, query)
    const { items, nextCursor } = await listRecords(db, query)
    return { items: await nameRecords(call, items), nextCursor }
  },
  view: ({ items, nextCursor }, { input }) => {
    const { groupBy: _, ...query } = input
    return <LatestCalls records={items.filter((item) => 'requestId' in item)} nextCursor={nextCursor} query={query} />
  },
})

export const listDailyUsage = operation({
  route: 'GET /api/usage/daily',
  summary: 'List usage by day',
  permission: 'usage:read',
  input: z.object({
    ...rangeInput,
    ...filterInput,
    groupBy: listOfNames(z.enum(dailyDimensions)).describe('Splits each day by these, separated by commas.'),
    ...paging,
  }),
  output: UsageDayList,
  run: async ({ input, actor, db, ledger, now }) => {
    await ledger.settled()
    const { groupBy = [], from, to, organizationId, limit, cursor, ...filters } = input
    const range = rangeOf({ from, to }, now(), maxDays.totals)
    const query = { ...range, organizationId: organizationFor(actor, organizationId), filters, limit, cursor }
    const { items, nextCursor } = await listTotals(db, ['day', ...groupBy], query)
    return { items: items.map((item) => ({ ...item, day: item.day ?? '' })), nextCursor }
  },
})
