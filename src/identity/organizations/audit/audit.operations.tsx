import { operation } from '#lib/operation.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { stream } from '#lib/reply.ts'
import { AuditList } from '#views/identity/organizations/audit/audit.tsx'
import * as audit from './audit.ts'
import { AuditEntry, AuditEvent, AuditFilter } from '../../contract.ts'

export const listAudit = operation({
  route: 'GET /api/audit',
  summary: 'List audit events',
  permission: 'role:admin',
  input: AuditFilter.extend(paging),
  output: listOf(AuditEvent),
  run: ({ db, actor, input }) => audit.list(db, actor, input),
  view: ({ items, nextCursor }, { input }) => <AuditList events={items} nextCursor={nextCursor} query={input} />,
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
