import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { paging } from '#lib/paginate.ts'
import { BudgetsCard } from '#views/gateway/budgets-table.tsx'
import { BudgetList } from '../contract/limits.ts'
import { nameApps } from '../names.ts'
import { forecastOf } from './forecast.ts'
import { listLimits } from './limits.ts'
import { periodAt } from './period.ts'
import { describeState, readStates } from './states.ts'

export const listBudgets = operation({
  route: 'GET /api/budgets',
  summary: 'List budgets',
  permission: 'usage:read',
  input: z.object(paging),
  output: BudgetList,
  run: async (call) => {
    const { db, ledger, actor, input, now } = call
    await ledger.settled()
    const { items, nextCursor } = await listLimits(db, actor, input)
    const at = now()
    const hasApps = items.some(({ scopeType }) => scopeType === 'application')
    const [states, names] = await Promise.all([readStates(db, items, at), hasApps ? nameApps(call) : null])
    return {
      items: items.flatMap((limit, index) => {
        const state = states[index]
        if (!state) return []
        const window = periodAt(limit.period, limit.timeZone, at)
        const scopeName = (limit.scopeType === 'application' && names?.get(limit.scopeValue)) || null
        return [{ ...describeState(state), scopeName, forecastNanoUsd: forecastOf(state.spentNanoUsd, window, at) }]
      }),
      nextCursor,
    }
  },
  view: ({ items }) => <BudgetsCard budgets={items} />,
})
