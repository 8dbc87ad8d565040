import { eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { sealContext } from '#lib/secrets/sealed.ts'
import { addDomain, domainNames } from '../domains/domains.ts'
import { requireActiveOrganization } from '../organizations.ts'
import { publishRevocation } from '../../tokens/revocation.ts'
import { memberships, organizations, organizationSignIns } from '../../schema.ts'
import { callbackUrl } from '../../sign-in/social-login/callback-url.ts'
import type { Provider } from '../../sign-in/social-login/provider.ts'
import type { OrganizationSso, SsoDraft } from './contract.ts'

type ActorCall = Call<unknown, Actor>
type Row = typeof organizationSignIns.$inferSelect

const toSso = async (
  { db, config, request }: Pick<Call, 'db' | 'config' | 'request'>,
  row: Row,
): Promise<OrganizationSso> => ({
  ...row,
  domains: (await domainNames(db, row.organizationId)).all,
  callbackUrl: callbackUrl(row.organizationId, config, request),
})

const ofOrganization = (id: string) => eq(organizationSignIns.organizationId, id)
const contextOf = (id: string): string => sealContext(organizationSignIns.sealedSecret, id)

/** Null when it has none. @throws 404 for any other organization */
export async function getOrganizationSso(call: ActorCall, id: string): Promise<OrganizationSso | null> {
  requireActiveOrganization(call.actor, id)
  const [row] = await call.db.select().from(organizationSignIns).where(ofOrganization(id))
  return row ? toSso(call, row) : null
}

/** @throws 404 for any other organization; 422 for a missing client secret or an issuer without https */
export async function setOrganizationSso(
  call: ActorCall,
  { id: organizationId, clientSecret, domains = [], ...input }: SsoDraft,
): Promise<OrganizationSso> {
  const { db, actor, config, secrets, events, now } = call
  requireActiveOrganization(actor, organizationId)
  if (!config.ALLOW_PRIVATE_NETWORK && !input.issuer.startsWith('https:'))
    throw invalid([{ path: 'issuer', message: 'Must begin with https://.' }])
  const [before] = await db.select().from(organizationSignIns).where(ofOrganization(organizationId)).for('update')
  const id = before?.id ?? newId()
  const sealedSecret = clientSecret ? secrets.seal(clientSecret, contextOf(id)) : before?.sealedSecret
  if (!sealedSecret) throw invalid([{ path: 'clientSecret', message: 'Enter the client secret.' }])
  const values = { ...input, sealedSecret }
  const [after] = await db
    .insert(organizationSignIns)
    .values({ id, organizationId, ...values, createdAt: now() })
    .onConflictDoUpdate({ target: organizationSignIns.organizationId, set: values })
    .returning()
  if (!after) throw new Error('The single sign-on settings were not stored')
  recordChange(db, { object: 'organization_sign_in', id, before, after })
  const { all } = await domainNames(db, organizationId)
  for (const domain of domains) if (!all.includes(domain)) await addDomain(call, { id: organizationId, domain })
  await publishRevocation(db, events, organizationId)
  return toSso(call, after)
}

/** @throws 404 */
export async function deleteOrganizationSso({ db, actor, events }: ActorCall, organizationId: string): Promise<void> {
  requireActiveOrganization(actor, organizationId)
  const [before] = await db.delete(organizationSignIns).where(ofOrganization(organizationId)).returning()
  if (!before) throw notFound('single sign-on')
  recordChange(db, { object: 'organization_sign_in', id: before.id, before })
  await publishRevocation(db, events, organizationId)
}

const selectWithName = ({ db }: Pick<Call, 'db'>) =>
  db
    .select({ row: organizationSignIns, name: organizations.name })
    .from(organizationSignIns)
    .innerJoin(organizations, eq(organizations.id, organizationSignIns.organizationId))
    .$dynamic()

/** With its secret; undefined when it has none. */
export async function findSsoProvider(
  call: Pick<Call, 'db' | 'secrets'>,
  organizationId: string,
): Promise<Provider | undefined> {
  const [found] = await selectWithName(call).where(ofOrganization(organizationId))
  if (!found) return undefined
  const { row, name } = found
  const clientSecret = call.secrets.open(row.sealedSecret, contextOf(row.id))
  const own = { organizationId, domains: await domainNames(call.db, organizationId) }
  return { id: organizationId, name, kind: 'oidc', issuer: row.issuer, clientId: row.clientId, clientSecret, own }
}

export async function findOrganizationSignIn(call: Pick<Call, 'db'>, { id, slug }: { id?: string; slug?: string }) {
  if (!id && !slug) return undefined
  const which = id ? eq(organizations.id, id) : eq(organizations.slug, slug ?? '')
  const [found] = await selectWithName(call).where(which)
  return found && { id: found.row.organizationId, name: found.name }
}

export const listSsoProviders = ({
  db,
  actor,
}: Pick<ActorCall, 'db' | 'actor'>): Promise<{ id: string; name: string }[]> =>
  db
    .select({ id: organizations.id, name: organizations.name })
    .from(organizationSignIns)
    .innerJoin(organizations, eq(organizations.id, organizationSignIns.organizationId))
    .innerJoin(memberships, eq(memberships.organizationId, organizations.id))
    .where(eq(memberships.userId, actor.principal.id))
