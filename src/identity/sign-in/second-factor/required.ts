import { and, eq, sql } from 'drizzle-orm'
import type { Actor, UnmetRequirement } from '#lib/actor.ts'
import { secondFactorNeeded } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, Problem } from '#lib/errors.ts'
import { memberships, organizations, passkeys, sessions, totpAuthenticators, users } from '../../schema.ts'
import { unmetRequirementOf, unmetRequirements } from './unmet-requirements.ts'
import { confirmedAppOf } from '../totp/codes.ts'

export async function hasSecondFactor(db: Database, id: string): Promise<boolean> {
  const [session] = await db.select({ two: sessions.secondFactor }).from(sessions).where(eq(sessions.id, id))
  return session?.two ?? false
}

/** Null when it meets all. */
export async function getUnmetRequirement(
  db: Database,
  session: string,
  organizationId: string,
): Promise<UnmetRequirement | null> {
  const [row] = await db
    .select({ organizationId: organizations.id, name: organizations.name, ...unmetRequirements })
    .from(sessions)
    .innerJoin(memberships, eq(memberships.userId, sessions.userId))
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(eq(sessions.id, session), eq(organizations.id, organizationId)))
  return row ? unmetRequirementOf(row) : null
}

export async function listOrganizationsRequiring(db: Database, userId: string): Promise<string[]> {
  const rows = await db
    .select({ name: organizations.name })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(eq(memberships.userId, userId), organizations.requiresSecondFactor))
    .orderBy(organizations.name)
  return rows.map(({ name }) => name)
}

async function hasFactor(db: Database, userId: string): Promise<boolean> {
  const [totp, keys] = await Promise.all([
    db.$count(totpAuthenticators, confirmedAppOf(userId)),
    db.$count(passkeys, eq(passkeys.userId, userId)),
  ])
  return totp + keys > 0
}

/** A person who knows only the password must not be able to add a second factor. @throws 403 */
export async function requireFactorChangeAllowed({ db, actor }: Call<unknown, Actor>): Promise<void> {
  const [name] = await listOrganizationsRequiring(db, actor.principal.id)
  if (!name || !(await hasFactor(db, actor.principal.id))) return
  if (!(await hasSecondFactor(db, actor.credential.id))) throw secondFactorNeeded(name)
}

/** In the transaction that removes a factor. @throws 409 for the last one where an organization requires one */
export async function requireRemainingFactor(tx: Database, userId: string): Promise<void> {
  const [name] = await listOrganizationsRequiring(tx, userId)
  if (!name || (await hasFactor(tx, userId))) return
  throw conflict(
    'last_second_factor',
    `${name} requires two-factor authentication, and this is your last second factor. Add another one first.`,
  )
}

/** @throws 403 when the caller’s own session has no second factor: it would lock them out */
export async function requireOwnSecondFactor({ db, actor }: Pick<Call<unknown, Actor>, 'db' | 'actor'>): Promise<void> {
  if (await hasSecondFactor(db, actor.credential.id)) return
  throw new Problem(
    403,
    'organization_requires_second_factor',
    'Set up two-factor authentication for yourself and sign in with it before you require it here.',
    { next: '/settings/security' },
  )
}

/** Concurrent changes of a person's factors wait for each other. */
export async function lockFactors(tx: Database, userId: string): Promise<void> {
  await tx.execute(sql`SELECT 1 FROM ${users} WHERE id = ${userId} FOR UPDATE`)
}
