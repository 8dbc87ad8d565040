import type { Call } from '#lib/call.ts'
import { reply } from '#lib/reply.ts'
import { publicUser } from '../accounts.ts'
import { isBrowser } from '../credential.ts'
import { noHousehold, selectedHousehold } from '../households/selected.ts'
import { themeCookiesFor, refreshCookie, sessionCookie, issueTokens } from '../signing-in.ts'
import { grantOf, type ServiceSignIn } from './exchange.ts'

/**
 * Answers an arrival as a sign-in: a browser on a first-party host gets its cookies. An app of others, which has our
 * pages on no host of its own, gets none.
 */
export async function replyWithSession(call: Call, arrival: ServiceSignIn) {
  const { user, organization, session, refreshToken, service } = arrival
  const tokens = await issueTokens(call, grantOf(arrival), refreshToken)
  const { id, slug, name, webUrl, firstParty } = service
  const keeps = isBrowser(call.request) && firstParty
  const cookies = keeps
    ? [
        ...(session.token === undefined ? [] : [sessionCookie(session.token)]),
        refreshCookie(refreshToken),
        ...(await themeCookiesFor(call, user.id)),
      ]
    : []
  const household = firstParty ? await selectedHousehold(call.db, user.id, organization) : noHousehold
  const answer = { user: publicUser(user), organization, ...household, ...tokens, service: { id, slug, name, webUrl } }
  return reply(200, answer, { cookies, next: webUrl ?? '/' })
}
