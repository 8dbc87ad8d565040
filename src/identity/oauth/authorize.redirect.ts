import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { redirect, type Redirect } from '#lib/reply.ts'
import {
  authorizationErrorOf,
  authorizationResponseUrl,
  authorize,
  isConfined,
  readAuthorizationRequest,
} from './authorize.ts'
import type { AuthorizeRequest } from './contract.ts'
import { choicesOf, needsConsent } from './pending-authorization.ts'

/** Null when the person has to decide. @throws {Problem} 404, 422: nothing is sent to an unregistered URI */
export async function answerAuthorization(call: Call<AuthorizeRequest>): Promise<Redirect | null> {
  const { input, actor, request } = call
  const authorization = await readAuthorizationRequest(call, input)
  const respond = (answer: Record<string, string>) => redirect(authorizationResponseUrl(call, authorization, answer))
  const error = authorizationErrorOf(input)
  if (error) return respond(error)
  const isSilent = input.prompt === 'none'
  if (!actor || !isPerson(actor))
    return isSilent ? respond({ error: 'login_required' }) : redirect(loginUrl(request.url))
  if (isConfined(actor, authorization.service)) return isSilent ? respond({ error: 'login_required' }) : null
  if (await needsConsent({ ...call, actor }, authorization))
    return isSilent ? respond({ error: 'consent_required' }) : null
  const url = await authorize({ ...call, actor }, authorization, input).catch(choicesOf)
  if (typeof url === 'string') return redirect(url)
  return isSilent ? respond({ error: 'interaction_required' }) : null
}

/** Services are not people, and third-party apps can’t sign people in. */
const isPerson = ({ service, app }: Actor): boolean => service === null && app === null

const loginUrl = ({ pathname, search }: URL): string => `/login?next=${encodeURIComponent(pathname + search)}`
