import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Day } from '#lib/time.ts'
import { plainText } from '#lib/text.ts'
import { Audit, type AuditProps } from '#views/identity/organizations/audit/audit.tsx'
import { address } from '#views/identity/organizations/audit/audit-filter.ts'
import { namesOf } from '../../accounts/accounts.ts'
import * as audit from './audit.ts'
import { AuditEntry } from '../../contract.ts'
import { listMembers } from '../members/members.ts'

/** A filter that is empty or invalid in the URL is ignored. */
const ignoreInvalid = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)

const Query = z.object({
  principalId: ignoreInvalid(Id),
  object: ignoreInvalid(plainText(200).trim().min(1)),
  from: ignoreInvalid(Day),
  to: ignoreInvalid(Day),
  cursor: z.string().max(500).optional(),
})

const pageSize = 50
const day = 24 * 60 * 60 * 1000

/** The last day is included whole. */
const dateRangeOf = ({ principalId, object, from, to }: z.output<typeof Query>) => ({
  principalId,
  object,
  from: from ? new Date(from) : undefined,
  to: to ? new Date(new Date(to).getTime() + day) : undefined,
})

export const auditPage = page({
  path: '/settings/audit',
  permission: 'role:admin',
  frame: 'settings',
  screen: 'audit',
  title: 'Audit log',
  query: Query,
  load: async (call): Promise<AuditProps> => {
    const { db, actor, input } = call
    const { cursor, ...filter } = input
    const range = dateRangeOf(input)
    const { items, nextCursor } = await audit.list(db, actor, { ...range, limit: pageSize, cursor })
    return {
      filter,
      people: await members(call),
      entries: z.array(AuditEntry).parse(items),
      names: await names(call, items),
      nextCursor,
      exportHref: address('/api/audit/export', {
        ...filter,
        from: range.from?.toISOString(),
        to: range.to?.toISOString(),
      }),
    }
  },
  view: (props) => <Audit {...props} />,
})

type PageCall = Call<unknown, Actor>

async function members({ db, actor }: PageCall) {
  const id = actor.organization?.id ?? ''
  return (await listMembers(db, actor.principal.id, { id, limit: 100 })).items
}

async function names({ db }: PageCall, entries: audit.ListedEntry[]): Promise<Map<string, string>> {
  const ids = [...new Set(entries.flatMap(({ principal }) => principal?.id ?? []))]
  return new Map((await namesOf(db, ids)).map(({ id, name }) => [id, name]))
}
