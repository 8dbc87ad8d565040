import { z } from 'zod'
import { organizationOf } from '#lib/authorize.ts'
import { ignoreInvalid, plainText } from '#lib/text.ts'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { Day, timeFormatsFrom } from '#lib/time.ts'
import { Audit, type AuditProps } from '#views/identity/organizations/audit/audit.tsx'
import { auditPageSize } from '#views/ui/audit/filter.ts'
import { AuditFilter } from '../../contract.ts'
import { listMembers } from '../members/members.operations.tsx'
import { listAudit } from './audit.operations.tsx'

const Query = z.object({
  principalId: ignoreInvalid(Id),
  object: ignoreInvalid(plainText(200).trim().min(1)),
  outcome: ignoreInvalid(AuditFilter.shape.outcome),
  from: ignoreInvalid(Day),
  to: ignoreInvalid(Day),
  cursor: Cursor,
})

export const auditPage = page({
  path: '/settings/audit',
  permission: 'role:admin',
  frame: 'settings',
  header: 'own',
  icon: 'history',
  rank: 1,
  title: 'Audit log',
  summary: 'Who changed what, and when.',
  keywords: 'history events changes',
  query: Query,
  load: async ({ ask, actor, input, now, request }): Promise<AuditProps> => {
    const { cursor, ...filter } = input
    const id = organizationOf(actor)
    const query = { ...filter, timeZone: timeFormatsFrom(request.cookies).zone, limit: auditPageSize }
    const [{ items, nextCursor }, members] = await Promise.all([
      ask(listAudit, { ...query, cursor }),
      ask(listMembers, { id, limit: 100 }),
    ])
    return {
      filter,
      people: members.items,
      events: items,
      nextCursor,
      query,
      now: now(),
    }
  },
  view: (props) => <Audit {...props} />,
})
