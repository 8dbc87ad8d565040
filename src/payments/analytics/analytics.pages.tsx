import { z } from 'zod'
import { page } from '#lib/page.ts'
import { ignoreInvalid } from '#lib/text.ts'
import { TimeZone } from '#lib/time.ts'
import { AnalyticsPage } from '#views/payments/analytics/page.tsx'
import { AnalyticsQuery } from '../contract/analytics.ts'
import { getPaymentAnalytics } from './analytics.operations.tsx'

const { shape } = AnalyticsQuery

export const paymentAnalyticsPage = page({
  path: '/pay/analytics',
  permission: 'analytics:read',
  query: z.object({
    from: ignoreInvalid(shape.from),
    to: ignoreInvalid(shape.to),
    merchantId: ignoreInvalid(shape.merchantId),
    venueId: ignoreInvalid(shape.venueId),
    currency: ignoreInvalid(shape.currency),
    /** Sent by the form’s dates; days are those of the merchant. */
    timeZone: ignoreInvalid(TimeZone),
  }),
  screen: 'usage payments',
  icon: 'activity',
  title: 'Analytics',
  keywords: 'payments conversion average order rate customers hours weekdays',
  load: async ({ ask, input }) => {
    const { timeZone: _, ...query } = input
    return { analytics: await ask(getPaymentAnalytics, query), query }
  },
  view: (props) => <AnalyticsPage {...props} />,
})
