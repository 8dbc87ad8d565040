import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { paging } from '#lib/paginate.ts'
import { BudgetsCard } from '#views/gateway/budgets-table.tsx'
import { BudgetList } from '../contract/limits.ts'
import { nameApps } from '../names.ts'
import { forecastLimits } from './forecast.ts'
import { listLimits } from './limits.ts'
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
    const forecasts = await forecastLimits(db, states, at)
    return {
      items: states.map((state, index) => {
        const scopeName = (state.scopeType === 'application' && names?.get(state.scopeValue)) || null
        return { ...describeState(state), scopeName, forecastNanoUsd: forecasts[index] ?? state.spentNanoUsd }
      }),
      nextCursor,
    }
  },
  view: ({ items }) => <BudgetsCard budgets={items} />,
})
