import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { paging } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { csvFile } from '#lib/response/csv-file.ts'
import { auditPlace } from '#views/payments/audit/page.tsx'
import { auditHref, daysOf } from '#views/ui/audit/filter.ts'
import { AuditList } from '#views/ui/audit/list.tsx'
import { AuditLine, PaymentAuditFilter, PaymentAuditList, PaymentAuditOptions } from '../contract/audit.ts'
import { lineOf, listAuditOptions, listPaymentEvents } from './list.ts'

const permission = 'audit:read'

export const listPaymentAudit = operation({
  route: 'GET /api/pay/audit',
  summary: 'List audit events of payments',
  permission,
  input: PaymentAuditFilter.extend(paging),
  output: PaymentAuditList,
  run: async (call) => {
    const { input, request } = call
    const list = await listPaymentEvents(call, input)
    const isFiltered = request.headers.has('hx-request') && input.cursor === undefined
    // The page’s own URL shows the same events.
    return isFiltered ? reply(200, list, { headers: { 'HX-Push-Url': auditHref(auditPlace, daysOf(input)) } }) : list
  },
  view: ({ items, nextCursor }, { input, now }) => (
    <AuditList place={auditPlace} events={items} nextCursor={nextCursor} query={input} now={now()} />
  ),
})

export const exportPaymentAudit = operation({
  route: 'GET /api/pay/audit/export',
  summary: 'Export audit events of payments as CSV',
  permission,
  input: PaymentAuditFilter,
  output: z.null(),
  streams: 'text/csv',
  run: async (call) =>
    csvFile('payments-audit', AuditLine, async (page) => {
      const { items, nextCursor } = await listPaymentEvents(call, { ...call.input, ...page })
      return { items: items.map(lineOf), nextCursor }
    }),
})

export const getPaymentAuditOptions = operation({
  route: 'GET /api/pay/audit/options',
  summary: 'List people and operations of the audit log',
  permission,
  input: z.object({}),
  output: PaymentAuditOptions,
  run: listAuditOptions,
})
