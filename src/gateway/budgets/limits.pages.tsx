import { z } from 'zod'
import { isAllowed } from '#lib/authorize.ts'
import { page } from '#lib/page.ts'
import { ignoreInvalid } from '#lib/text.ts'
import { LimitsPage, type LimitsPageProps } from '#views/gateway/limits/page.tsx'
import { families, periods } from '../contract/families.ts'
import type { LimitOptions } from '../contract/limits.ts'
import { getVideoQuota } from '../video/quota.operations.tsx'
import { getLimitOptions, listLimitAlerts, listLimitRevisions, listSpendLimits } from './limits.operations.tsx'

/** Of one organization; more are found through the API. */
const maxLimits = 100
/** Alerts and changes at first. */
const latest = 5

/** Hard limits are offered to owners and super admins (GTW-34). */
const softOptions: LimitOptions = {
  scopeTypes: ['organization', 'application'],
  families: [...families],
  periods: [...periods],
  modes: ['soft', 'observe'],
}

export const limitsPage = page({
  path: '/gateway/limits',
  permission: 'usage:read',
  screen: 'usage gateway-limits gateway-models',
  icon: 'piggy-bank',
  title: 'Budgets',
  query: z.object({ show: ignoreInvalid(z.enum(['all', 'near'])) }),
  load: async ({ ask, actor, input }): Promise<LimitsPageProps> => {
    const seesOptions = actor.isSuperAdmin || isAllowed(actor, 'role:owner', '')
    const [list, alerts, revisions, quota, options] = await Promise.all([
      ask(listSpendLimits, { limit: maxLimits }),
      ask(listLimitAlerts, { limit: latest }),
      ask(listLimitRevisions, { limit: latest }),
      ask(getVideoQuota, {}),
      seesOptions ? ask(getLimitOptions, {}) : softOptions,
    ])
    return { list, alerts, revisions, quota, shown: input.show ?? 'all', options: list.can.create ? options : null }
  },
  view: (props) => <LimitsPage {...props} />,
})
