import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { Currency, formatMoney } from '#lib/money.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { csvFile } from '#lib/response/csv-file.ts'
import { optionalField, plainText } from '#lib/text.ts'
import { Differences } from '#views/payments/reconciliation/differences.tsx'
import { RunsOverview } from '#views/payments/reconciliation/runs.tsx'
import {
  DifferenceExplanation,
  Reconciliation,
  ReconciliationDifference,
  ReconciliationDifferenceFilter,
  ReconciliationDifferenceLine,
  ReconciliationDifferenceList,
  ReconciliationRun,
  ReconciliationRunFilter,
  ReconciliationRunList,
} from '../contract/reconciliation.ts'
import { providerProblems } from '../provider-problems.ts'
import { enqueueRun } from './jobs.ts'
import { describeRun, getDifference, getRun, listDifferences, listRuns, readOverview } from './read.ts'
import { checkDifference, explainDifference, recordDifference } from './resolve.ts'
import { insertRun, requirePause } from './start.ts'

const permission = 'transactions:read'
const ById = z.object({ id: Id })

type ResolveCall = Call<{ id: string }, Actor>

export const getReconciliation = operation({
  route: 'GET /api/pay/reconciliation',
  summary: 'Get the state of the reconciliation',
  permission,
  input: z.object({}),
  output: Reconciliation,
  run: (call) => readOverview(call),
  view: (overview, { actor }) => <RunsOverview overview={overview} organizationId={actor.organization?.id} />,
})

export const listReconciliationRuns = operation({
  route: 'GET /api/pay/reconciliation/runs',
  summary: 'List reconciliation runs',
  permission,
  input: ReconciliationRunFilter,
  output: ReconciliationRunList,
  run: (call) => listRuns(call, call.input),
})

export const getReconciliationRun = operation({
  route: 'GET /api/pay/reconciliation/runs/:id',
  summary: 'Get a reconciliation run',
  permission,
  input: ById,
  output: ReconciliationRun,
  run: (call) => getRun(call, call.input.id),
})

export const startReconciliation = operation({
  route: 'POST /api/pay/reconciliation/runs',
  summary: 'Start a comparison of ledger and provider',
  permission: 'transactions:write',
  machine: true,
  limit: 'checks',
  input: z.object({}),
  output: ReconciliationRun,
  answers: { 202: ReconciliationRun },
  problems: { reconciliation_recent: 429 },
  run: async (call) => {
    const { db, actor } = call
    const organizationId = organizationOf(actor, 'transactions:write')
    await requirePause(call, organizationId)
    const { run, isNew } = await insertRun(call, organizationId, actor.principal.id, (tx, started) =>
      enqueueRun(tx, call, started),
    )
    if (isNew) recordChange(db, { object: 'reconciliation_run', id: run.id, after: { state: run.state } })
    return reply(202, describeRun(run), { toast: isNew ? 'Comparison started' : 'A comparison is running already' })
  },
  view: async (_, { ask, actor }) => (
    <RunsOverview overview={await ask(getReconciliation, {})} organizationId={actor.organization?.id} />
  ),
})

export const listReconciliationDifferences = operation({
  route: 'GET /api/pay/reconciliation/differences',
  summary: 'List differences of ledger and provider',
  permission,
  input: ReconciliationDifferenceFilter,
  output: ReconciliationDifferenceList,
  run: (call) => listDifferences(call, call.input),
  view: (list, { input, actor }) => <Differences list={list} query={input} organizationId={actor.organization?.id} />,
})

const decimalOf = (amount: bigint | null, code: string | null): string => {
  const currency = Currency.safeParse(code)
  return amount === null || !currency.success ? '' : formatMoney({ minor: amount, currency: currency.data })
}

export const exportReconciliationDifferences = operation({
  route: 'GET /api/pay/reconciliation/differences/export',
  summary: 'Export differences as CSV',
  permission,
  input: ReconciliationDifferenceFilter.omit({ limit: true, cursor: true }),
  output: z.null(),
  streams: 'text/csv',
  run: async (call) =>
    csvFile('differences', ReconciliationDifferenceLine, async (page) => {
      const { items, nextCursor } = await listDifferences(call, { ...call.input, ...page })
      return {
        nextCursor,
        items: items.map((row) => ({
          ...row,
          ledgerAmount: decimalOf(row.ledgerAmount, row.currency),
          providerAmount: decimalOf(row.providerAmount, row.currency),
          ledgerFee: decimalOf(row.ledgerFee, row.currency),
          providerFee: decimalOf(row.providerFee, row.currency),
        })),
      }
    }),
})

export const getReconciliationDifference = operation({
  route: 'GET /api/pay/reconciliation/differences/:id',
  summary: 'Get a difference of ledger and provider',
  permission,
  input: ById,
  output: ReconciliationDifference,
  run: (call) => getDifference(call, call.input.id),
})

const resolving = {
  permission: 'transactions:write',
  output: ReconciliationDifference,
  view: async (_: unknown, { ask, actor }: Pick<Call<unknown, Actor>, 'ask' | 'actor'>) => {
    const query = ReconciliationDifferenceFilter.parse({ status: 'open', limit: 100 })
    const list = await ask(listReconciliationDifferences, query)
    return <Differences list={list} query={query} organizationId={actor.organization?.id} />
  },
} as const

const atProvider = {
  transaction: false,
  limit: 'checks',
  timeout: ({ config }: Pick<ResolveCall, 'config'>): number => 8 * config.PAYMENTS_TIMEOUT_MS + 10_000,
} as const

export const explainReconciliationDifference = operation({
  ...resolving,
  route: 'POST /api/pay/reconciliation/differences/:id/explain',
  summary: 'Explain a difference',
  input: DifferenceExplanation,
  problems: { difference_state: 409 },
  run: async (call) => {
    await explainDifference(call, call.input)
    return reply(200, await getDifference(call, call.input.id), { toast: 'Explained' })
  },
})

export const recordReconciliationDifference = operation({
  ...resolving,
  ...atProvider,
  route: 'POST /api/pay/reconciliation/differences/:id/record',
  summary: 'Record the entries of a difference',
  input: z.object({ id: Id, note: optionalField(plainText(1_000).trim()) }),
  problems: { ...providerProblems, difference_state: 409, difference_changed: 409 },
  run: async (call) => {
    await recordDifference(call, { ...call.input, note: call.input.note || undefined })
    const difference = await getDifference(call, call.input.id)
    return reply(200, difference, {
      toast: difference.status === 'recorded' ? 'Recorded' : 'Nothing to record: both sides agree now',
    })
  },
})

export const checkReconciliationDifference = operation({
  ...resolving,
  ...atProvider,
  route: 'POST /api/pay/reconciliation/differences/:id/check',
  summary: 'Check a difference at the provider',
  machine: true,
  input: ById,
  problems: { ...providerProblems, difference_state: 409 },
  run: async (call) => {
    await checkDifference(call, call.input.id)
    const difference = await getDifference(call, call.input.id)
    return reply(200, difference, {
      toast: difference.status === 'open' ? 'Checked. It is still different.' : 'Resolved',
    })
  },
})
