import { and, eq, gt, isNull, sql, type SQLWrapper } from 'drizzle-orm'
import { prepared, type Database } from '#lib/db.ts'
import { unauthorized } from '#lib/errors.ts'
import { digest } from '#lib/ids.ts'
import { isLauncherEligible } from '../accounts/accounts.ts'
import { validateKey } from '../api-keys/validation/validate-key.ts'
import { runningSuspension, suspensionColumns, suspensionOf } from '../admin/suspended.ts'
import type { Validation } from '../contract.ts'
import type { KeyStore } from './signing-keys.ts'
import { reach, parseReached } from '../organizations/resource-roles/reach.ts'
import { heldPermissions } from '../organizations/permissions/held-permissions.ts'
import { memberships, organizations, serviceKeys, services, sessions, suspensions, users } from '../schema.ts'
import { unmetRequirementOf, unmetRequirements } from '../sign-in/second-factor/unmet-requirements.ts'
import { keepAlive } from '../sign-in/sessions.ts'
import type { TokenClaims } from './tokens.ts'

/** A session cookie's value, an API key's text, or the claims of a verified token. */
export type Proof = { session: string } | { apiKey: string } | TokenClaims

/** IDN-05. `passive` doesn't extend the session. @throws {Problem} 401 for an invalid proof */
export async function lookUp(store: KeyStore, proof: Proof, passive = false): Promise<Validation> {
  if ('session' in proof) return validateSession(store, proof.session, passive)
  if ('apiKey' in proof) return validateKey(store, proof.apiKey)
  return proof.tokenType === 'access' ? validateAccessToken(store, proof) : validateServiceToken(store.db, proof)
}

async function validateSession({ db, now }: KeyStore, token: string, passive: boolean): Promise<Validation> {
  const at = now()
  const [row] = await grantBySession(db).execute({ tokenHash: digest(token), now: at.toISOString() })
  if (!row || isOutsideOrganization(row)) throw unauthorized('This session has ended. Sign in again.')
  if (!passive) await keepAlive(db, row.sessionId, row.lastUsedAt, at)
  return validationOf('session', row)
}

type Claims<Type> = Extract<TokenClaims, { tokenType: Type }>

/** A session that an organization's SSO opened is valid only in that organization, and only for its members. */
const isOutsideOrganization = ({ onlyIn, organizationId }: Grant): boolean =>
  onlyIn !== null && onlyIn !== organizationId

/** `expiresAt` is the session's; the token may expire before. */
async function validateAccessToken({ db, now }: KeyStore, claims: Claims<'access'>): Promise<Validation> {
  const { sessionId, organizationId } = claims
  const [row] = await grantByToken(db).execute({ sessionId, organizationId, now: now().toISOString() })
  if (!row || isOutsideOrganization(row)) throw unauthorized('This token’s session has ended. Sign in again.')
  if (organizationId && !row.organizationId) throw unauthorized('This token is for an organization you left.')
  if (claims.app?.isCurrent && row.activeIn !== organizationId)
    throw unauthorized('This token is for another context than the session’s current one.')
  const validation = validationOf('access', row)
  return claims.app ? narrowToApp(validation, claims.app) : validation
}

function narrowToApp(validation: Validation, { slug, serviceId }: { slug: string; serviceId: string }): Validation {
  const permissions = validation.permissions.filter((permission) => permission.startsWith(`${serviceId}.`))
  const principalServices = validation.principal.principalServices.filter((id) => id === serviceId)
  return { ...validation, audience: slug, permissions, principal: { ...validation.principal, principalServices } }
}

async function validateServiceToken(db: Database, { caller, audience, keyId }: Claims<'service'>): Promise<Validation> {
  const [service] = await db
    .select({ id: services.id, keyId: serviceKeys.id })
    .from(services)
    .leftJoin(
      serviceKeys,
      and(
        eq(serviceKeys.serviceId, services.id),
        keyId ? eq(serviceKeys.id, keyId) : sql`false`,
        isNull(serviceKeys.revokedAt),
      ),
    )
    .where(eq(services.slug, caller))
  if (!service) throw unauthorized('This token’s service is not registered.')
  if (keyId && !service.keyId) throw unauthorized('The key of this token’s service was revoked.')
  const principal = { id: service.id, principalType: 'service' as const, principalServices: [service.id] }
  return {
    valid: true,
    tokenType: 'service',
    context: 'service',
    principal: { ...principal, launcherEligible: false },
    organization: null,
    permissions: [],
    sessionId: null,
    apiKey: null,
    suspension: null,
    onlyIn: null,
    resources: [],
    unmetRequirement: null,
    app: null,
    service: caller,
    audience,
    expiresAt: null,
  }
}

const selectGrant = (db: Database, organizationId: SQLWrapper) =>
  db
    .select({
      sessionId: sessions.id,
      idleExpiresAt: sessions.idleExpiresAt,
      lastUsedAt: sessions.lastUsedAt,
      userId: users.id,
      principalType: users.principalType,
      slug: organizations.slug,
      ...suspensionColumns,
      ...unmetRequirements,
      role: memberships.role,
      onlyIn: sessions.onlyIn,
      activeIn: sessions.organizationId,
      reach,
      app: sql<string | null>`(SELECT ${services.id} FROM ${services}
        WHERE ${services.id} = ${sessions.serviceId} AND NOT ${services.firstParty})`,
      permissions: sql<string[]>`ARRAY(
        SELECT held.service_id || '.' || held.permission FROM ${heldPermissions} ORDER BY 1)`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(memberships, and(eq(memberships.userId, users.id), eq(memberships.organizationId, organizationId)))
    .leftJoin(organizations, eq(organizations.id, memberships.organizationId))
    .leftJoin(suspensions, runningSuspension)
    .$dynamic()

const alive = gt(sessions.idleExpiresAt, sql`${sql.placeholder('now')}::timestamptz`)

const grantBySession = (db: Database) =>
  prepared(db, 'identity_grant_by_session', () =>
    selectGrant(db, sessions.organizationId).where(and(eq(sessions.tokenHash, sql.placeholder('tokenHash')), alive)),
  )

const grantByToken = (db: Database) =>
  prepared(db, 'identity_grant_by_token', () =>
    selectGrant(db, sql`${sql.placeholder('organizationId')}::uuid`).where(
      and(eq(sessions.id, sql.placeholder('sessionId')), alive),
    ),
  )

type Grant = Awaited<ReturnType<typeof selectGrant>>[number]

function validationOf(tokenType: 'access' | 'session', row: Grant): Validation {
  const { organizationId, slug, role, app } = row
  const suspension = suspensionOf(row)
  const unmetRequirement = unmetRequirementOf(row)
  const isOpen = !suspension && !unmetRequirement
  const granted = isOpen ? row.permissions : []
  const permissions = app === null ? granted : granted.filter((permission) => permission.startsWith(`${app}.`))
  const organization = isOpen && organizationId && slug && role ? { id: organizationId, slug, role } : null
  const principalServices = [...new Set(permissions.map((permission) => permission.slice(0, permission.indexOf('.'))))]
  return {
    valid: true,
    tokenType,
    context: organization ? 'organization' : 'personal',
    principal: {
      id: row.userId,
      principalType: row.principalType,
      principalServices,
      launcherEligible: isLauncherEligible(row.principalType),
    },
    organization,
    permissions,
    sessionId: row.sessionId,
    apiKey: null,
    suspension,
    onlyIn: row.onlyIn,
    resources: row.reach.map(parseReached),
    unmetRequirement,
    app,
    service: null,
    audience: null,
    expiresAt: row.idleExpiresAt,
  }
}
