import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { ProfileSection } from '#views/identity/accounts/profile.tsx'
import { RenamedUser } from '#views/shell/user-menu.tsx'
import { publicUser, renameUser } from '../accounts/accounts.ts'
import { ContextChoice, SignOutRequest, Me, ProfileEdit, RefreshRequest, Tokens, User } from '../contract.ts'
import { personOf } from '../accounts/caller.ts'
import * as current from '../accounts/current.ts'
import { localPath } from '../http/responses.ts'
import { refreshCookie, clearedCookies } from './sign-in.ts'

export const refresh = operation({
  route: 'POST /api/auth/refresh',
  summary: 'Exchange a refresh token for new tokens',
  permission: 'public',
  input: RefreshRequest,
  output: Tokens,
  transaction: false,
  problems: { invalid_refresh_token: 401 },
  run: async (call) => {
    const { tokens, refreshToken } = await current.refreshSession(call, call.input.refreshToken)
    return reply(200, tokens, { cookies: tokens.refreshToken ? [] : [refreshCookie(refreshToken)] })
  },
})

export const logout = operation({
  route: 'POST /api/auth/logout',
  summary: 'Sign out',
  permission: 'person',
  input: SignOutRequest,
  output: z.object({}),
  run: async (call) => {
    const { next } = call.input
    await current.endCurrentSession(call)
    return reply(200, {}, { cookies: clearedCookies, next: next === undefined ? '/login' : localPath(next) })
  },
})

export const switchContext = operation({
  route: 'POST /api/auth/context',
  summary: 'Switch organization',
  permission: 'signed-in',
  input: ContextChoice,
  problems: { workspace_suspended: 403, organization_requires_second_factor: 403, organization_requires_sso: 403 },
  output: Tokens,
  transaction: false,
  run: async (call) => {
    const { tokens, refreshToken } = await current.switchContext(call, call.input)
    return reply(200, tokens, { cookies: tokens.refreshToken ? [] : [refreshCookie(refreshToken)], next: '/' })
  },
})

export const me = operation({
  route: 'GET /api/auth/me',
  summary: 'Get the signed-in user',
  permission: 'person',
  input: z.object({}),
  output: Me,
  run: (call) => current.whoAmI(call),
  view: ({ user }) => <ProfileSection user={user} />,
})

export const updateMe = operation({
  route: 'PUT /api/auth/me',
  summary: 'Update your profile',
  permission: 'signed-in',
  input: ProfileEdit,
  output: User,
  example: { name: 'Ada Lovelace' },
  run: async ({ db, actor, input }) => {
    const user = publicUser(await renameUser(db, personOf(actor), input.name))
    return reply(200, user, { next: '/settings/profile', toast: 'Name updated' })
  },
  view: (user) => (
    <>
      <ProfileSection user={user} />
      <RenamedUser user={user} />
    </>
  ),
})
