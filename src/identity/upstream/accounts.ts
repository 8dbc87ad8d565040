import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { audited, auditedStep } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { cut, keepable } from '#lib/words.ts'
import { requireOwnDomain } from '../own-sign-in/members.ts'
import { accountOf, isEmailRegistered, createAccount, type Account } from '../accounts.ts'
import { organizationDomains, upstreamIdentities, users } from '../schema.ts'
import { UpstreamFailure, type Provider, type UpstreamPerson } from './provider.ts'

/**
 * The account of whoever came back from a provider: the one that the identity is connected with, else a new one. An
 * address alone never opens an account that is there: who has it there may be another than who has it here. Throws an
 * UpstreamFailure.
 */
export async function findOrCreateAccount(call: Call, provider: Provider, person: UpstreamPerson, next: string | null) {
  const known = await findAccount(call.db, person)
  if (known) return known
  const domain = provider.own ? requireOwnDomain(provider.own, person) : null
  const email = person.verifiedEmail
  if (!email) throw new UpstreamFailure('unverified', `${provider.name} vouches for no e-mail address.`)
  if (await isEmailRegistered(call.db, email)) throw emailTaken()
  return auditedStep(call, (tx) =>
    createConnectedAccount({ ...call, db: tx }, { provider, person, email, domain, next }),
  ).catch((error: unknown) => {
    // Somebody signed up with the address, or came back twice at once.
    throw ['users_email', 'upstream_identities_subject'].includes(brokenConstraint(error) ?? '') ? emailTaken() : error
  })
}

const emailTaken = () => new UpstreamFailure('known', 'The address has an account.')

async function findAccount(db: Database, { issuer, subject }: UpstreamPerson): Promise<Account | undefined> {
  const [found] = await db
    .select({ user: users, domain: upstreamIdentities.domain, verifiedAt: organizationDomains.verifiedAt })
    .from(upstreamIdentities)
    .innerJoin(users, eq(users.id, upstreamIdentities.userId))
    .leftJoin(organizationDomains, isIdentityDomain)
    .where(and(eq(upstreamIdentities.issuer, issuer), eq(upstreamIdentities.subject, subject)))
  if (found && found.domain !== null && found.verifiedAt === null)
    throw new UpstreamFailure('unproven', `The organization that made this account has not verified ${found.domain}.`)
  return found && accountOf(db, found.user)
}

/** The domain by which an organization's own provider made an account. */
const isIdentityDomain = and(
  eq(sql`${organizationDomains.organizationId}::text`, upstreamIdentities.provider),
  eq(organizationDomains.domain, upstreamIdentities.domain),
)

interface NewAccountInput {
  provider: Provider
  person: UpstreamPerson
  email: string
  /** The organization's domain, where its own provider makes the account. */
  domain: string | null
  next: string | null
}

/** Whoever comes by an invitation or an organization's own provider joins a workspace, everybody else begins one. */
async function createConnectedAccount(
  call: Call,
  { provider, person, email, domain, next }: NewAccountInput,
): Promise<Account> {
  const name = cut(keepable(person.name ?? '').trim(), 100) || cut(email.split('@')[0] ?? email, 100)
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

/** Lets an identity elsewhere sign somebody in. Throws an UpstreamFailure when it signs in somebody else. */
export async function connectIdentity(
  tx: Database,
  user: Actor['principal'],
  provider: Provider,
  { issuer, subject, domain = null }: UpstreamPerson & { domain?: string | null },
  now: Date,
): Promise<void> {
  const values = { id: newId(), userId: user.id, provider: provider.id, issuer, subject, domain, createdAt: now }
  const [kept] = await tx
    .insert(upstreamIdentities)
    .values(values)
    // Connected again by the same person it stays as it is.
    .onConflictDoUpdate({
      target: [upstreamIdentities.issuer, upstreamIdentities.subject],
      set: { provider: sql`excluded.provider`, domain: sql`excluded.domain` },
      setWhere: eq(upstreamIdentities.userId, user.id),
    })
    .returning({ id: upstreamIdentities.id })
  if (!kept) throw new UpstreamFailure('elsewhere', 'The identity is connected with another account.')
  audited(tx, { object: 'upstream_identity', id: kept.id, by: user, organizationId: null })
}
