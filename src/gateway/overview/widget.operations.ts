import { z } from 'zod'
import { organizationOf } from '#lib/authorize.ts'
import { formatNanoUsd } from '#lib/money.ts'
import { operation } from '#lib/operation.ts'
import { roundedDollars as amountText } from '../budgets/alert-text.ts'
import { listBudgets } from '../budgets/budgets.operations.tsx'
import { pageAction, trendOf, Widget, widgetText } from '#lib/widget.ts'
import { dayAfter, dayOf } from '../usage/partitions.ts'
import { readDays } from '../usage/reads.ts'
import { daysOf } from '../usage/anomalies.ts'
import { readSpending } from './spending.ts'

const maxBudgets = 5
/** Read, to find the most used ones. */
const maxRead = 20
const days = 14

export const getWidget = operation({
  route: 'GET /api/widget',
  appTokens: true,
  summary: 'Get the gateway’s widget',
  permission: 'usage:read',
  input: z.object({}),
  output: Widget,
  problems: { not_found: 404 },
  run: async (call) => {
    const { db, actor, ledger, now } = call
    const organizationId = organizationOf(actor, 'usage:read')
    await ledger.settled()
    const at = now()
    const range = { from: dayAfter(dayOf(at), 1 - days), to: dayOf(at) }
    const [spending, budgets, spent] = await Promise.all([
      readSpending(db, organizationId, at),
      call.ask(listBudgets, { limit: maxRead }),
      readDays(db, { ...range, organizationId, filters: {} }),
    ])
    const costs = new Map(spent.map(({ day, costNanoUsd }) => [day, costNanoUsd]))
    const dollars = (label: string, nanoUsd: bigint, more = {}) => ({
      label,
      value: formatNanoUsd(nanoUsd),
      unit: 'USD',
      trend: null,
      href: '/gateway',
      ...more,
    })
    const onLastMonth = trendOf(spending.forecastNanoUsd, spending.previous.spentNanoUsd)
    return {
      app: { slug: 'platform-gateway', name: 'Gateway' },
      title: 'Spend',
      generatedAt: at,
      metrics: [
        dollars('Spent this month', spending.spentNanoUsd),
        dollars('Forecast', spending.forecastNanoUsd, {
          trend: onLastMonth,
          ...(onLastMonth !== null && { detail: 'on last month' }),
        }),
        ...(spending.budget ? [dollars('Budget', spending.budget.limitNanoUsd)] : []),
        { label: 'Requests', value: String(spending.requests), unit: null, trend: null, href: '/gateway/usage' },
      ],
      items: sortByUse(budgets.items)
        .slice(0, maxBudgets)
        .map((budget) => ({
          id: budget.id,
          title: widgetText(
            budget.scopeName ?? (budget.scope_type === 'organization' ? 'Whole organization' : budget.scope_value),
          ),
          subtitle: `${amountText(BigInt(budget.spentNanoUsd))} of ${amountText(BigInt(budget.limitNanoUsd))}`,
          at: budget.resetsAt ? new Date(budget.resetsAt) : null,
          status: statusOf(budget),
          href: '/gateway/limits',
        })),
      series: [
        {
          label: 'Spend per day',
          points: daysOf(range).map((day) => ({ at: day, value: formatNanoUsd(costs.get(day) ?? 0n) })),
        },
      ],
      actions: [pageAction('Show usage', '/gateway/usage')],
    }
  },
})

/** From this share on, the end of a budget is near. */
const near = 0.8

interface Budget {
  spentNanoUsd: number
  limitNanoUsd: number
}

const shareOf = ({ spentNanoUsd, limitNanoUsd }: Budget): number => (limitNanoUsd > 0 ? spentNanoUsd / limitNanoUsd : 1)

const sortByUse = <One extends Budget>(budgets: readonly One[]): One[] =>
  budgets.toSorted((one, other) => shareOf(other) - shareOf(one))

function statusOf({ spentNanoUsd, limitNanoUsd }: Budget): string {
  if (spentNanoUsd >= limitNanoUsd) return 'used_up'
  return spentNanoUsd >= limitNanoUsd * near ? 'near' : 'ok'
}
