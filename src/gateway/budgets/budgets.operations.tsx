import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { paging } from '#lib/paginate.ts'
import { BudgetList } from '../contract/limits.ts'
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
  run: async ({ db, actor, input, now }) => {
    const { items, nextCursor } = await listLimits(db, actor, input)
    const at = now()
    const states = await readStates(db, items, at)
    return {
      items: items.flatMap((limit, index) => {
        const state = states[index]
        if (!state) return []
        const window = periodAt(limit.period, limit.timeZone, at)
        return [{ ...describeState(state), forecastNanoUsd: forecastOf(state.spentNanoUsd, window, at) }]
      }),
      nextCursor,
    }
  },
})
