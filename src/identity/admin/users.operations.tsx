import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { AdminUserView } from '#views/identity/admin/user.tsx'
import { AdminUserTable } from '#views/identity/admin/users.tsx'
import { AdminUser, AdminUserDetail, SupportAction, UserSearch } from './contract.ts'
import * as users from './users.ts'

export const listUsers = operation({
  route: 'GET /api/admin/users',
  summary: 'Search users',
  permission: 'super-admin',
  input: UserSearch,
  output: listOf(AdminUser),
  run: ({ db, input }) => users.listUsers(db, input),
  view: (list, { input }) => <AdminUserTable list={list} query={input.query} />,
})

export const getUser = operation({
  route: 'GET /api/admin/users/:id',
  summary: 'Get a user as a super admin',
  permission: 'super-admin',
  input: z.object({ id: Id }),
  output: AdminUserDetail,
  run: (call) => users.getUser(call, call.input.id),
  view: (user) => <AdminUserView user={user} />,
})

const pageOf = (id: string) => `/admin/users/${id}`

export const endUserSessions = operation({
  route: 'DELETE /api/admin/users/:id/sessions',
  summary: 'End a user’s sessions',
  permission: 'super-admin',
  input: SupportAction,
  output: z.null(),
  problems: { own_account: 409 },
  example: { reason: 'Their laptop was stolen.' },
  run: async (call) => {
    const ended = await users.endSessionsOf(call, call.input)
    const toast = ended === 1 ? 'Session ended' : `${ended} sessions ended`
    return reply(204, null, { next: pageOf(call.input.id), toast })
  },
  view: async (_, call) => <AdminUserView user={await call.ask(getUser, { id: call.input.id })} />,
})

export const resetUserSecondFactor = operation({
  route: 'DELETE /api/admin/users/:id/second-factor',
  summary: 'Reset a user’s second factors',
  permission: 'super-admin',
  input: SupportAction,
  output: z.null(),
  problems: { own_account: 409, no_second_factor: 409 },
  example: { reason: 'They lost their phone and verified their identity on a call.' },
  run: async (call) => {
    await users.resetSecondFactor(call, call.input)
    return reply(204, null, { next: pageOf(call.input.id), toast: 'Second factors reset' })
  },
  view: async (_, call) => <AdminUserView user={await call.ask(getUser, { id: call.input.id })} />,
})
