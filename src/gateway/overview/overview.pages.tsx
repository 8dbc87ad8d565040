import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { page } from '#lib/page.ts'
import { Overview } from '#views/gateway/overview.tsx'
import { ReportDimension } from '../contract/usage-report.ts'
import { listBudgets } from '../budgets/budgets.operations.tsx'
import { getSpending, getUsageReport } from './overview.operations.tsx'

const firstRequest = ({ config, request }: Call) => ({
  baseUrl: config.PUBLIC_URL ?? request.url.origin,
  model: config.offlineHelps ? 'practice-small' : 'openai/gpt-4o-mini',
})

const maxBudgets = 50

export const overviewPage = page({
  path: '/gateway',
  permission: 'usage:read',
  query: z.object({ groupBy: ReportDimension.optional(), from: z.string().optional(), to: z.string().optional() }),
  title: 'Spend',
  icon: 'gauge',
  screen: 'usage',
  load: async (call) => {
    const today = call.now().toISOString().slice(0, 10)
    const query = { groupBy: call.input.groupBy ?? 'family', from: `${today.slice(0, 8)}01`, to: today } as const
    const [spending, report, budgets] = await Promise.all([
      call.ask(getSpending, {}),
      call.ask(getUsageReport, query),
      call.ask(listBudgets, { limit: maxBudgets }),
    ])
    return { spending, report, budgets: budgets.items, query, firstRequest: firstRequest(call) }
  },
  view: (props) => <Overview {...props} />,
})
