import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { ignoreInvalid, plainText } from '#lib/text.ts'
import { Day, timeFormatsFrom } from '#lib/time.ts'
import { AuditPage } from '#views/payments/audit/page.tsx'
import { auditPageSize } from '#views/ui/audit/filter.ts'
import { PaymentAuditFilter } from '../contract/audit.ts'
import { getPaymentAuditOptions, listPaymentAudit } from './audit.operations.tsx'

const Word = plainText(200).trim().min(1)

export const paymentAuditPage = page({
  path: '/pay/audit',
  permission: 'audit:read',
  query: z.object({
    principalId: ignoreInvalid(Id),
    object: ignoreInvalid(Word),
    operation: ignoreInvalid(Word),
    outcome: ignoreInvalid(PaymentAuditFilter.shape.outcome),
    from: ignoreInvalid(Day),
    to: ignoreInvalid(Day),
    cursor: Cursor,
  }),
  screen: 'settings payments',
  icon: 'history',
  title: 'Payments audit log',
  keywords: 'history events changes who',
  load: async ({ ask, input, now, request }) => {
    const { cursor, ...filter } = input
    const query = { ...filter, timeZone: timeFormatsFrom(request.cookies).zone, limit: auditPageSize }
    const [{ items, nextCursor }, options] = await Promise.all([
      ask(listPaymentAudit, { ...query, cursor }),
      ask(getPaymentAuditOptions, {}),
    ])
    return { filter, options, events: items, nextCursor, query, now: now() }
  },
  view: (props) => <AuditPage {...props} />,
})
