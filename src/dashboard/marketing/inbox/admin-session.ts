import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { cookieName } from '#lib/cookies.ts'
import { Problem } from '#lib/errors.ts'
import type { Cookie } from '#lib/reply.ts'

const name = 'admin_session'
const lifetimeMs = 15 * 60_000

type SessionCall = Pick<Call<unknown, Actor>, 'actor' | 'secrets' | 'now'>

export function openAdminSession(call: SessionCall): { expiresAt: Date; cookie: Cookie } {
  const expiresAt = new Date(call.now().getTime() + lifetimeMs)
  const value = `${expiresAt.getTime()}.${signatureOf(call, expiresAt.getTime())}`
  return { expiresAt, cookie: { name, value, maxAge: lifetimeMs / 1000 } }
}

export const endedAdminSession: Cookie = { name, value: '', maxAge: 0 }

/** @throws {Problem} 403 without an admin session of the same sign-in */
export function requireAdminSession(call: SessionCall & Pick<Call, 'request'>): void {
  const { cookies } = call.request
  const value = cookies.get(cookieName(name, true)) ?? cookies.get(name) ?? ''
  // Base64url and a dot, so nothing in it was encoded.
  const [end = '', signature = ''] = value.split('.')
  const [expected, given] = [signatureOf(call, Number(end)), signature].map((text) => Buffer.from(text))
  const isSigned = expected && given && expected.length === given.length && timingSafeEqual(expected, given)
  if (isSigned && Number(end) > call.now().getTime()) return
  throw new Problem(
    403,
    'admin_session_required',
    'Confirm that it’s you first: POST /api/admin/session with a code from your authenticator app.',
  )
}

/** For one credential: a session that ended, or another one of the person, can’t use it. */
const signatureOf = ({ actor, secrets }: SessionCall, end: number): string =>
  createHmac('sha256', secrets.derive('admin sessions')).update(`${actor.credential.id} ${end}`).digest('base64url')
