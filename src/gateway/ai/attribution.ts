import { organizationOf, suspendedProblem } from '#lib/authorize.ts'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { notFound, Problem } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'

/** Who pays for a call, and what its usage is attributed to (GTW-16). */
export interface Attribution {
  organizationId: string
  applicationId: string | null
  apiKeyId: string | null
  userId: string | null
  /** Made with a test key (IDN-36). */
  test: boolean
}

type Caller = Pick<Call<unknown, Actor>, 'actor' | 'request' | 'identity'>

/**
 * @param evenSuspended For what a suspended organization can’t do itself, and has to be done for it
 * @throws {Problem} 400 without an organization, 404 for an unknown one, 403 `delegation_refused`, 503 while identity is
 *   unavailable
 */
export async function attributionOf(
  { actor, request, identity }: Caller,
  { evenSuspended = false } = {},
): Promise<Attribution> {
  const organization = idIn(request.headers, 'X-Organization-Id')
  const user = idIn(request.headers, 'X-Delegated-User-Id')
  const applicationId = applicationIn(request.headers)
  if (actor.tokenType === 'service') {
    if (organization === null)
      throw new Problem(400, 'organization_required', 'Send the header X-Organization-Id: who pays for this call.')
    const [state, isMember] = await Promise.all([
      identity.organizationState(organization),
      user === null || identity.isMember(organization, user),
    ])
    // Without its organization a call would have no budget.
    if (!state.exists) throw notFound('organization')
    if (state.suspended && !evenSuspended) throw suspended(organization)
    if (!isMember) throw refuseDelegation('The delegated user isn’t a member of this organization.')
    return { organizationId: organization, applicationId, apiKeyId: null, userId: user, test: false }
  }
  const own = organizationOf(actor, 'ai:invoke')
  if (organization !== null && organization !== own)
    throw refuseDelegation('Only services can call for another organization. Remove X-Organization-Id.')
  if (user !== null && user !== actor.principal.id)
    throw refuseDelegation('Only services can call for another user. Remove X-Delegated-User-Id.')
  const isKey = actor.tokenType === 'api_key'
  return {
    organizationId: own,
    applicationId,
    apiKeyId: isKey ? actor.credential.id : null,
    userId: actor.principal.id,
    test: actor.credential.test === true,
  }
}

const suspended = (organizationId: string) =>
  suspendedProblem({ organizationId, name: 'This organization', reason: 'It can’t use services.', deletesAt: null })

const refuseDelegation = (detail: string) => new Problem(403, 'delegation_refused', detail)

function idIn(headers: Headers, name: string): string | null {
  const value = headers.get(name)
  if (value === null) return null
  if (Id.safeParse(value).success) return value.toLowerCase()
  throw new Problem(400, 'malformed', `${name} must be an ID (a UUID).`)
}

function applicationIn(headers: Headers): string | null {
  const value = headers.get('X-Application-Id')
  if (value === null || /^[\w.:-]{1,100}$/.test(value)) return value
  throw new Problem(400, 'malformed', 'X-Application-Id must be up to 100 letters, digits, dots, colons and hyphens.')
}
