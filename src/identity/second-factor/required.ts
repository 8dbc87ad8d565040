import { and, eq, sql } from 'drizzle-orm'
import type { Actor, Bar } from '#lib/actor.ts'
import { secondFactorNeeded } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, Problem } from '#lib/errors.ts'
import { memberships, organizations, passkeys, sessions, totpAuthenticators, users } from '../schema.ts'
import { unmetRequirementOf, unmetRequirements } from './bar.ts'
import { confirmedAppOf } from '../totp/codes.ts'

/** Whether a session has shown two factors. */
export async function hasSecondFactor(db: Database, id: string): Promise<boolean> {
  const [session] = await db.select({ two: sessions.secondFactor }).from(sessions).where(eq(sessions.id, id))
  return session?.two ?? false
}

/** What a session lacks to work in an organization of its person's; null when nothing is missing. */
export async function getUnmetRequirement(db: Database, session: string, organizationId: string): Promise<Bar | null> {
  const [row] = await db
    .select({ organizationId: organizations.id, name: organizations.name, ...unmetRequirements })
    .from(sessions)
    .innerJoin(memberships, eq(memberships.userId, sessions.userId))
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(eq(sessions.id, session), eq(organizations.id, organizationId)))
  return row ? unmetRequirementOf(row) : null
}

/** The names of a person's organizations that ask for a second factor, by name. */
export async function listOrganizationsRequiring(db: Database, userId: string): Promise<string[]> {
  const rows = await db
    .select({ name: organizations.name })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(eq(memberships.userId, userId), organizations.requiresSecondFactor))
    .orderBy(organizations.name)
  return rows.map(({ name }) => name)
}

/** Whether a person could show a second factor. */
async function hasFactor(db: Database, userId: string): Promise<boolean> {
  const [totp, keys] = await Promise.all([
    db.$count(totpAuthenticators, confirmedAppOf(userId)),
    db.$count(passkeys, eq(passkeys.userId, userId)),
  ])
  return totp + keys > 0
}

/**
 * Throws 403 where a session of one factor would change those that an organization relies on: whoever knows the password
 * alone must not be able to bring a second factor of their own.
 */
export async function requireFactorChangeAllowed({ db, actor }: Call<unknown, Actor>): Promise<void> {
  const [name] = await listOrganizationsRequiring(db, actor.principal.id)
  if (!name || !(await hasFactor(db, actor.principal.id))) return
  if (!(await hasSecondFactor(db, actor.credential.id))) throw secondFactorNeeded(name)
}

/** Throws 409 in the transaction that took a person's last factor, while an organization of theirs asks for one. */
export async function requireRemainingFactor(tx: Database, userId: string): Promise<void> {
  const [name] = await listOrganizationsRequiring(tx, userId)
  if (!name || (await hasFactor(tx, userId))) return
  throw conflict(
    'last_second_factor',
    `${name} asks for a second factor, and this is your last. Add another one first.`,
  )
}

/** Throws 403 for a session that showed one factor alone: nobody asks others for what they have not shown themselves. */
export async function requireOwnSecondFactor({ db, actor }: Pick<Call<unknown, Actor>, 'db' | 'actor'>): Promise<void> {
  if (await hasSecondFactor(db, actor.credential.id)) return
  throw new Problem(
    403,
    'second_factor_needed',
    'Set up a second factor and sign in with it yourself, before you ask it of everyone here.',
    { next: '/settings/security' },
  )
}

/** Of two that change a person's factors at once, the second waits. */
export async function lockFactors(tx: Database, userId: string): Promise<void> {
  await tx.execute(sql`SELECT 1 FROM ${users} WHERE id = ${userId} FOR UPDATE`)
}
