import { z } from 'zod'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { Usage } from '#views/gateway/usage.tsx'
import { ReportDimension } from '../contract/usage-report.ts'
import { verifyUsage } from '../usage/insight.operations.tsx'
import { listUsage } from '../usage/reads.operations.tsx'
import { filterInput, rangeInput } from '../contract/usage-filters.ts'
import { getUsageReport } from './overview.operations.tsx'

const pageSize = 20
const dayMs = 24 * 60 * 60 * 1000
/** Records and their verification go back so far. */
const maxRecordDays = 31

const { from, to } = rangeInput
const emptyAsMissing = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema)

export const usagePage = page({
  path: '/gateway/usage',
  permission: 'usage:read',
  query: z.object({
    ...filterInput,
    family: emptyAsMissing(filterInput.family),
    from: emptyAsMissing(from),
    to: emptyAsMissing(to),
    groupBy: ReportDimension.default('application'),
    cursor: Cursor,
  }),
  title: 'Usage',
  icon: 'activity',
  screen: 'usage',
  load: async (call) => {
    const { cursor, groupBy, ...given } = call.input
    const now = call.now()
    const dayBefore = (days: number, day = now) => new Date(day.getTime() - days * dayMs).toISOString().slice(0, 10)
    const today = dayBefore(0)
    const last = given.to ?? today
    const first = given.from ?? dayBefore(29, new Date(last))
    const query = { ...given, groupBy, from: first, to: last }
    const oldest = dayBefore(maxRecordDays - 1, new Date(last))
    const { groupBy: _, ...filters } = { ...query, from: first > oldest ? first : oldest }
    const recordsQuery = { ...filters, limit: pageSize, cursor }
    const verified = { from: filters.from, to: last }
    const [report, records, verification] = await Promise.all([
      call.ask(getUsageReport, query),
      call.ask(listUsage, recordsQuery),
      call.ask(verifyUsage, verified),
    ])
    return {
      report,
      query,
      verification,
      verified,
      records: { ...records, items: records.items.filter((item) => 'requestId' in item), query: recordsQuery },
      presets: [
        { label: 'This month', from: `${today.slice(0, 8)}01`, to: today },
        { label: 'Last 7 days', from: dayBefore(6), to: today },
        { label: 'Last 30 days', from: dayBefore(29), to: today },
      ],
    }
  },
  view: (props) => <Usage {...props} />,
})
