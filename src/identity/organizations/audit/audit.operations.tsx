import { operation } from '#lib/operation.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { reply, stream } from '#lib/reply.ts'
import { auditPlace } from '#views/identity/organizations/audit/audit.tsx'
import { auditHref, daysOf } from '#views/ui/audit/filter.ts'
import { AuditList } from '#views/ui/audit/list.tsx'
import * as audit from './audit.ts'
import { AuditEntry, AuditEvent, AuditFilter } from '../../contract.ts'

export const listAudit = operation({
  route: 'GET /api/audit',
  summary: 'List audit events',
  permission: 'role:admin',
  input: AuditFilter.extend(paging),
  output: listOf(AuditEvent),
  run: async ({ db, actor, input, request }) => {
    const list = await audit.list(db, actor, input)
    const isFiltered = request.headers.has('hx-request') && input.cursor === undefined
    // The page's own URL shows the same events.
    return isFiltered ? reply(200, list, { headers: { 'HX-Push-Url': auditHref(auditPlace, daysOf(input)) } }) : list
  },
  view: ({ items, nextCursor }, { input, now }) => (
    <AuditList place={auditPlace} events={items} nextCursor={nextCursor} query={input} now={now()} />
  ),
})

export const exportAudit = operation({
  route: 'GET /api/audit/export',
  summary: 'Export the audit log as NDJSON',
  permission: 'role:admin',
  input: AuditFilter,
  output: AuditEntry,
  streams: 'application/x-ndjson',
  run: async (call) =>
    stream(audit.exportLines(call, call.input), 'application/x-ndjson', {
      headers: { 'Content-Disposition': 'attachment; filename="audit.ndjson"' },
    }),
})
