import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { PasswordStatus } from '#views/identity/sign-in/password-section.tsx'
import { FailedSignIns, SessionList, sessionsPerPage } from '#views/identity/sign-in/sessions.tsx'
import { OwnSession, PasswordChange, RefusedSignIn } from '../contract.ts'
import {
  changePassword as change,
  endOwnOtherSessions,
  endOwnSession,
  listSessions as list,
  listFailedSignIns,
} from './own-sessions.ts'

export const listSessions = operation({
  route: 'GET /api/auth/sessions',
  summary: 'List your sessions',
  permission: 'signed-in',
  input: z.object(paging),
  output: listOf(OwnSession),
  run: (call) => list(call, call.input),
  view: ({ items, nextCursor }) => <SessionList sessions={items} nextCursor={nextCursor} />,
})

async function drawSessions(call: Call) {
  const { items, nextCursor } = await call.ask(listSessions, { limit: sessionsPerPage })
  return <SessionList sessions={items} nextCursor={nextCursor} />
}

export const deleteSession = operation({
  route: 'DELETE /api/auth/sessions/:id',
  summary: 'End one of your sessions',
  permission: 'signed-in',
  input: z.object({ id: Id }),
  output: z.null(),
  run: async (call) => {
    await endOwnSession(call, call.input.id)
    return reply(204, null, { next: '/settings/sessions', toast: 'Session ended' })
  },
  view: (_, call) => drawSessions(call),
})

export const deleteOtherSessions = operation({
  route: 'DELETE /api/auth/sessions',
  summary: 'End your other sessions',
  permission: 'signed-in',
  input: z.object({}),
  output: z.null(),
  run: async (call) => {
    const ended = await endOwnOtherSessions(call)
    const toast = ended === 1 ? 'Other session ended' : `${ended} other sessions ended`
    return reply(204, null, { next: '/settings/sessions', toast })
  },
  view: (_, call) => drawSessions(call),
})

export const listRefusedSignIns = operation({
  route: 'GET /api/auth/refused-sign-ins',
  summary: 'List failed sign-ins to your account',
  permission: 'signed-in',
  input: z.object({}),
  output: listOf(RefusedSignIn),
  run: async (call) => ({ items: await listFailedSignIns(call), nextCursor: null }),
  view: ({ items }) => <FailedSignIns failed={items} />,
})

export const changePassword = operation({
  route: 'POST /api/auth/password',
  summary: 'Change your password',
  permission: 'signed-in',
  limit: 'sign-in',
  input: PasswordChange,
  output: z.null(),
  problems: { sign_in_throttled: 429, busy: 503 },
  transaction: false,
  run: async (call) => {
    await change(call, call.input)
    const toast = 'Password changed. Other sessions were signed out.'
    return reply(204, null, { next: '/settings/security', toast })
  },
  view: () => <PasswordStatus hasPassword />,
})
