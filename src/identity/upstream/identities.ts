import { and, asc, eq, ne } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { audited } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { conflict, notFound } from '#lib/errors.ts'
import { personOf } from '../current.ts'
import { upstreamIdentities, users } from '../schema.ts'
import { configuredProviders } from './providers.ts'

type Acting = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'config'>

/** By which providers the caller signs in, oldest first. */
export async function listIdentities({ db, actor, config }: Acting) {
  const providers = configuredProviders(config)
  const rows = await db
    .select()
    .from(upstreamIdentities)
    .where(eq(upstreamIdentities.userId, personOf(actor)))
    .orderBy(asc(upstreamIdentities.id))
  const nameOf = (id: string, issuer: string) => providers.find((each) => each.id === id)?.name ?? new URL(issuer).host
  return rows.map((row) => ({ ...row, name: nameOf(row.provider, row.issuer) }))
}

/** Takes a way to sign in away. Throws 404, and 409 when it is the last one. */
export async function disconnect({ db, actor }: Acting, id: string): Promise<void> {
  const userId = personOf(actor)
  // Of two that go at once the second has to see that the first is gone.
  const [user] = await db.select().from(users).where(eq(users.id, userId)).for('update')
  const ofUser = eq(upstreamIdentities.userId, userId)
  const others = await db.$count(upstreamIdentities, and(ofUser, ne(upstreamIdentities.id, id)))
  const [gone] = await db
    .delete(upstreamIdentities)
    .where(and(ofUser, eq(upstreamIdentities.id, id)))
    .returning()
  if (!gone) throw notFound('sign-in identity')
  if (!user?.passwordHash && others === 0)
    throw conflict('last_sign_in', 'You have no other way to sign in. Set a password first, or connect another one.')
  audited(db, { object: 'upstream_identity', id, organizationId: null })
}
