import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { plainText } from '#lib/text.ts'
import { adminPageSize } from '#views/ui/admin-search.tsx'
import { AdminUserView, type AdminUserProps } from '#views/identity/admin/user.tsx'
import { AdminUsers, type AdminUsersProps } from '#views/identity/admin/users.tsx'
import { getUser, listUsers } from './users.operations.tsx'

const admin = { permission: 'super-admin', frame: 'admin', header: 'own', screen: 'admin' } as const

export const adminUsersPage = page({
  ...admin,
  path: '/admin/users',
  icon: 'user',
  title: 'People',
  query: z.object({
    query: plainText(254).trim().default('').catch(''),
    cursor: Cursor,
  }),
  load: async ({ ask, input }): Promise<AdminUsersProps> => ({
    query: input.query,
    list: await ask(listUsers, { ...input, limit: adminPageSize }),
  }),
  view: (props) => <AdminUsers {...props} />,
})

export const adminUserPage = page({
  ...admin,
  path: '/admin/users/:id',
  title: ({ user }: AdminUserProps) => user.name,
  query: z.object({ id: Id }),
  load: async ({ ask, input }): Promise<AdminUserProps> => ({ user: await ask(getUser, input) }),
  view: (props) => <AdminUserView {...props} />,
})
