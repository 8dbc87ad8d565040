import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { page } from '#lib/page.ts'
import { redirect } from '#lib/reply.ts'
import { Authorize, type AuthorizeProps } from '#views/identity/oauth/authorize.tsx'
import { findUser } from '../accounts/accounts.ts'
import { getOrganization } from '../organizations/organizations.ts'
import {
  authorizationResponseUrl,
  readAuthorizationRequest,
  authorize,
  authorizationErrorOf,
  hasConsent,
  isConfined,
  type AuthorizationRequest,
} from './authorize.ts'
import { ContextNeeded } from './context.ts'
import { AuthorizeRequest } from './contract.ts'

/** The authorization endpoint (IDN-23). Redirects at once unless the person must decide something. */
export const authorizePage = page({
  path: '/sso/authorize',
  permission: 'public',
  frame: 'door',
  title: 'Sign in',
  query: AuthorizeRequest,
  load: async (call) => {
    const { input, actor, request } = call
    const authorization = await readAuthorizationRequest(call, input)
    const back = (answer: Record<string, string>) => redirect(authorizationResponseUrl(call, authorization, answer))
    const error = authorizationErrorOf(input)
    if (error) return back(error)
    const isSilent = input.prompt === 'none'
    if (!actor || !isPerson(actor))
      return isSilent ? back({ error: 'login_required' }) : redirect(loginUrl(request.url))
    if (isConfined(actor, authorization.service))
      return isSilent ? back({ error: 'login_required' }) : loadProps({ ...call, actor }, authorization, null)
    const needsConsent =
      input.prompt === 'consent' || !(await hasConsent(call.db, actor.principal.id, authorization.service))
    if (needsConsent)
      return isSilent ? back({ error: 'consent_required' }) : loadProps({ ...call, actor }, authorization, null)
    const url = await authorize({ ...call, actor }, authorization, input).catch(choicesIn)
    if (typeof url === 'string') return redirect(url)
    return isSilent ? back({ error: 'interaction_required' }) : loadProps({ ...call, actor }, authorization, url)
  },
  view: (props) => <Authorize {...props} />,
})

function choicesIn(error: unknown): ContextNeeded['choices'] {
  if (error instanceof ContextNeeded) return error.choices
  throw error
}

/** Services are not people, and third-party apps can’t sign people in. */
const isPerson = ({ service, app }: Actor): boolean => service === null && app === null

const loginUrl = ({ pathname, search }: URL): string => `/login?next=${encodeURIComponent(pathname + search)}`

async function loadProps(
  { db, actor, input, request }: Call<AuthorizeRequest, Actor>,
  { service, redirectUri }: AuthorizationRequest,
  choices: ContextNeeded['choices'] | null,
): Promise<AuthorizeProps> {
  const { email } = await findUser(db, actor.principal.id)
  const fields = Object.entries(input).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))
  const { name, description } = service
  const within = isConfined(actor, service) ? await getOrganization(db, actor.principal.id, actor.onlyIn ?? '') : null
  const here = request.url.pathname + request.url.search
  return {
    app: { name, description, host: new URL(redirectUri).host },
    me: email,
    fields,
    choices,
    confinedTo: within?.name ?? null,
    here,
  }
}
