import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { words } from '#lib/words.ts'
import { AdminUserView, type AdminUserProps } from '#views/identity/admin/user.tsx'
import { AdminUsers, type AdminUsersProps } from '#views/identity/admin/users.tsx'
import { AdminUser, AdminUserDetail } from './contract.ts'
import * as users from './users.ts'

const admin = { permission: 'super-admin', frame: 'admin' } as const
const pageSize = 50

export const adminUsersPage = page({
  ...admin,
  path: '/admin/users',
  title: 'People',
  query: z.object({
    query: words(254).trim().default('').catch(''),
    cursor: z.string().max(500).optional(),
  }),
  load: async ({ db, input }): Promise<AdminUsersProps> => {
    const { items, nextCursor } = await users.listUsers(db, { ...input, limit: pageSize })
    return { query: input.query, users: z.array(AdminUser).parse(items), nextCursor }
  },
  view: (props) => <AdminUsers {...props} />,
})

export const adminUserPage = page({
  ...admin,
  path: '/admin/users/:id',
  title: ({ user }: AdminUserProps) => user.name,
  query: z.object({ id: Id }),
  load: async (call): Promise<AdminUserProps> => ({
    user: AdminUserDetail.parse(await users.inspectUser(call, call.input.id)),
    isOneself: call.input.id === call.actor.principal.id,
  }),
  view: (props) => <AdminUserView {...props} />,
})
