import { and, eq, isNull, lt, or } from 'drizzle-orm'
import { limitActor } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound, nullFor404, Problem } from '#lib/errors.ts'
import { digest } from '#lib/ids.ts'
import * as brands from '../brands/brands.ts'
import { brands as brandTable, reviewLinks } from '../schema.ts'

const slug = 'platform-socialize'

export type GuestCall = Pick<Call, 'db' | 'identity' | 'now'>
export type FoundLink = NonNullable<Awaited<ReturnType<typeof findByToken>>>

/**
 * A link that can have expired. The same 404 for a token that never existed, a revoked link, a suspended organization
 * and a creator without access: nothing is told about the posts. Not on a transaction, since identity is asked.
 * @throws {Problem} 404, 503
 */
export async function findLink(call: GuestCall, token: string): Promise<FoundLink> {
  const link = await findByToken(call.db, token)
  if (!link || !(await isBacked(call, link))) throw unknownLink()
  return link
}

/** @throws {Problem} 404 as `findLink`, 410 `review_link_expired` */
export async function openLink(call: GuestCall, token: string): Promise<FoundLink> {
  const link = await findLink(call, token)
  if (hasExpired(link, call.now())) throw expired()
  return link
}

export const hasExpired = ({ expiresAt }: Pick<FoundLink, 'expiresAt'>, now: Date): boolean => expiresAt <= now

/** On a transaction: who revokes it waits for the end of it; `update` to change it. @throws {Problem} 404, 410 */
export async function holdLink(
  tx: Database,
  { id }: FoundLink,
  now: Date,
  strength: 'share' | 'update' = 'share',
): Promise<void> {
  const [link] = await tx
    .select({ expiresAt: reviewLinks.expiresAt })
    .from(reviewLinks)
    .where(and(eq(reviewLinks.id, id), isNull(reviewLinks.revokedAt)))
    .for(strength)
  if (!link) throw unknownLink()
  if (hasExpired(link, now)) throw expired()
}

const unknownLink = (): Problem => notFound('review link')

const expired = (): Problem =>
  new Problem(410, 'review_link_expired', 'This link has expired. Request a new one on its page.')

async function findByToken(db: Database, token: string) {
  const [found] = await db
    .select({ link: reviewLinks, brand: brandTable })
    .from(reviewLinks)
    .innerJoin(brandTable, eq(brandTable.id, reviewLinks.brandId))
    .where(and(eq(reviewLinks.tokenHash, digest(token)), isNull(reviewLinks.revokedAt)))
  return found ? { ...found.link, brand: found.brand } : null
}

/** Whether its creator can still review posts of the brand, in the organization that has the brand now. */
async function isBacked({ db, identity }: GuestCall, { brand, createdBy }: FoundLink): Promise<boolean> {
  const { organizationId } = brand
  if (await identity.isSuspended(organizationId)) return false
  const member = await identity.memberActor(organizationId, createdBy).catch(nullFor404)
  const reviewer = member && limitActor(member, 'posts:review', await identity.serviceId(slug))
  return reviewer !== null && (await brands.get(db, reviewer, brand.id).catch(nullFor404)) !== null
}

/** Written once an hour. */
export async function markUsed(db: Database, { id }: FoundLink, now: Date): Promise<void> {
  const anHourAgo = new Date(now.getTime() - 60 * 60_000)
  await db
    .update(reviewLinks)
    .set({ lastUsedAt: now })
    .where(and(eq(reviewLinks.id, id), or(isNull(reviewLinks.lastUsedAt), lt(reviewLinks.lastUsedAt, anHourAgo))))
}
