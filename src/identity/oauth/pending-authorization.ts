import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { findUser } from '../accounts/accounts.ts'
import { getOrganization } from '../organizations/organizations.ts'
import { hasConsent, isConfined, readAuthorizationRequest, type AuthorizationRequest } from './authorize.ts'
import { ContextNeeded, resolveContext } from './context.ts'
import type { AuthorizeRequest, PendingAuthorization } from './contract.ts'

type AuthorizeCall = Call<AuthorizeRequest, Actor>

/** @throws {Problem} 404, 422 */
export async function describeAuthorization(call: AuthorizeCall): Promise<PendingAuthorization> {
  const { db, actor, input } = call
  const authorization = await readAuthorizationRequest(call, input)
  const { name, description } = authorization.service
  const [{ email }, question] = await Promise.all([findUser(db, actor.principal.id), findQuestion(call, authorization)])
  const host = new URL(authorization.redirectUri).host
  return { app: { name, description, host }, email, confinedTo: null, choices: null, ...question }
}

type Question = Pick<PendingAuthorization, 'question'> & Partial<Pick<PendingAuthorization, 'confinedTo' | 'choices'>>

async function findQuestion(
  { db, actor, input }: AuthorizeCall,
  authorization: AuthorizationRequest,
): Promise<Question> {
  const { service } = authorization
  if (isConfined(actor, service)) {
    const within = await getOrganization(db, actor.principal.id, actor.onlyIn ?? '')
    return { question: 'account', confinedTo: within?.name ?? null }
  }
  if (await needsConsent({ db, actor, input }, authorization)) return { question: 'consent' }
  const choices = await resolveContext(db, actor, service, input.context).then(() => null, choicesOf)
  return choices ? { question: 'context', choices: [...choices] } : { question: null }
}

/** Whether the person must agree first, or the request asks for it. */
export const needsConsent = async (
  { db, actor, input }: Pick<AuthorizeCall, 'db' | 'actor' | 'input'>,
  { service }: AuthorizationRequest,
): Promise<boolean> => input.prompt === 'consent' || !(await hasConsent(db, actor.principal.id, service))

/** For `catch`: the contexts to choose from. */
export function choicesOf(error: unknown): ContextNeeded['choices'] {
  if (error instanceof ContextNeeded) return error.choices
  throw error
}
