import type { Call } from '#lib/call.ts'
import { reply } from '#lib/reply.ts'
import { publicUser } from '../accounts/accounts.ts'
import { isBrowser } from '../tokens/credential.ts'
import { noHousehold, selectedHousehold } from '../organizations/households/selected.ts'
import { preferenceCookiesFor, refreshCookie, sessionCookie, issueTokens } from '../sign-in/sign-in.ts'
import { grantOf, type ServiceSignIn } from './exchange.ts'

/** A browser on a first-party host gets cookies; third-party apps have no pages of ours and get none. */
export async function replyWithSession(call: Call, signIn: ServiceSignIn) {
  const { user, organization, session, refreshToken, service } = signIn
  const tokens = await issueTokens(call, grantOf(signIn), refreshToken)
  const { id, slug, name, webUrl, firstParty } = service
  const setsCookies = isBrowser(call.request) && firstParty
  const cookies = setsCookies
    ? [
        ...(session.token === undefined ? [] : [sessionCookie(session.token)]),
        refreshCookie(refreshToken),
        ...(await preferenceCookiesFor(call, user.id)),
      ]
    : []
  const household = firstParty ? await selectedHousehold(call.db, user.id, organization) : noHousehold
  const answer = { user: publicUser(user), organization, ...household, ...tokens, service: { id, slug, name, webUrl } }
  return reply(200, answer, { cookies, next: webUrl ?? '/' })
}
