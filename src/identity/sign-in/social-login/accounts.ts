import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { truncate, sanitizeText } from '#lib/text.ts'
import { requireOwnDomain } from '../../organizations/sso/members.ts'
import { accountOf, isEmailRegistered, createAccount, type Account } from '../../accounts/accounts.ts'
import { organizationDomains, upstreamIdentities, users } from '../../schema.ts'
import { ProviderFailure, type Provider, type ProviderPerson } from './provider.ts'

/** Never by email address alone: its owner at the provider can be another person. @throws ProviderFailure */
export async function findOrCreateAccount(call: Call, provider: Provider, person: ProviderPerson, next: string | null) {
  const known = await findAccount(call.db, person)
  if (known) return known
  const domain = provider.own ? requireOwnDomain(provider.own, person) : null
  const email = person.verifiedEmail
  if (!email) throw new ProviderFailure('unverified', `${provider.name} returned no verified email address.`)
  if (await isEmailRegistered(call.db, email)) throw emailTaken()
  return auditedTransaction(call, (tx) =>
    createConnectedAccount({ ...call, db: tx }, { provider, person, email, domain, next }),
  ).catch((error: unknown) => {
    // A concurrent request signed up with the address, or connected the identity.
    throw ['users_email', 'upstream_identities_subject'].includes(brokenConstraint(error) ?? '') ? emailTaken() : error
  })
}

const emailTaken = () => new ProviderFailure('known', 'An account with this email address already exists.')

async function findAccount(db: Database, { issuer, subject }: ProviderPerson): Promise<Account | undefined> {
  const [found] = await db
    .select({ user: users, domain: upstreamIdentities.domain, verifiedAt: organizationDomains.verifiedAt })
    .from(upstreamIdentities)
    .innerJoin(users, eq(users.id, upstreamIdentities.userId))
    .leftJoin(organizationDomains, isIdentityDomain)
    .where(and(eq(upstreamIdentities.issuer, issuer), eq(upstreamIdentities.subject, subject)))
  if (found && found.domain !== null && found.verifiedAt === null)
    throw new ProviderFailure('unproven', `The organization that created this account hasn’t verified ${found.domain}.`)
  return found && accountOf(db, found.user)
}

const isIdentityDomain = and(
  eq(sql`${organizationDomains.organizationId}::text`, upstreamIdentities.provider),
  eq(organizationDomains.domain, upstreamIdentities.domain),
)

interface NewAccountInput {
  provider: Provider
  person: ProviderPerson
  email: string
  domain: string | null
  next: string | null
}

/** People who follow an invitation or use single sign-on join an organization; all others get one of their own. */
async function createConnectedAccount(
  call: Call,
  { provider, person, email, domain, next }: NewAccountInput,
): Promise<Account> {
  const name = truncate(sanitizeText(person.name ?? '').trim(), 100) || truncate(email.split('@')[0] ?? email, 100)
  const createOrganization = !provider.own && !next?.startsWith('/invitation')
  const account = {
    email,
    name,
    passwordHash: null,
    emailVerified: true,
    createOrganization,
    developerWorkspace: false,
  }
  const made = await createAccount(call, account)
  await connectIdentity(call.db, made.user, provider, { ...person, domain }, call.now())
  return made
}

/** @throws ProviderFailure when it is connected with another account */
export async function connectIdentity(
  tx: Database,
  user: Actor['principal'],
  provider: Provider,
  { issuer, subject, domain = null }: ProviderPerson & { domain?: string | null },
  now: Date,
): Promise<void> {
  const values = { id: newId(), userId: user.id, provider: provider.id, issuer, subject, domain, createdAt: now }
  const [kept] = await tx
    .insert(upstreamIdentities)
    .values(values)
    .onConflictDoUpdate({
      target: [upstreamIdentities.issuer, upstreamIdentities.subject],
      set: { provider: sql`excluded.provider`, domain: sql`excluded.domain` },
      setWhere: eq(upstreamIdentities.userId, user.id),
    })
    .returning({ id: upstreamIdentities.id })
  if (!kept) throw new ProviderFailure('elsewhere', 'The identity is connected to another account.')
  recordChange(tx, { object: 'connected_identity', id: kept.id, by: user, organizationId: null })
}
