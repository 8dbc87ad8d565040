import { and, eq, gt, lt } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { digest, newId, randomToken } from '#lib/ids.ts'
import { sealContext } from '#lib/secrets/sealed.ts'
import type { Secrets } from '#lib/secrets.ts'
import type { Provider } from '../contract.ts'
import { authorizations } from '../schema.ts'

/** How long a person has to consent (SOC-05). */
const lifetimeMs = 10 * 60_000

const contextOf = (id: string): string => sealContext(authorizations.sealedKept, id)

export const createState = (): string => randomToken()

interface PendingAuthorization {
  state: string
  brandId: string
  provider: Provider
  unsavedId: string | null
  isOnboarding: boolean
  pending: unknown
}

export async function store(
  db: Database,
  secrets: Secrets,
  actor: Actor,
  now: Date,
  pending: PendingAuthorization,
): Promise<void> {
  await db.delete(authorizations).where(lt(authorizations.expiresAt, now))
  const { state, brandId, provider, unsavedId, isOnboarding } = pending
  const id = newId()
  await db.insert(authorizations).values({
    id,
    stateDigest: digest(state),
    userId: actor.principal.id,
    brandId,
    provider,
    unsavedId,
    isOnboarding,
    sealedKept: secrets.seal(JSON.stringify(pending.pending), contextOf(id)),
    expiresAt: new Date(now.getTime() + lifetimeMs),
  })
}

type Taken = Pick<PendingAuthorization, 'brandId' | 'unsavedId' | 'isOnboarding' | 'pending'>

/** The same without using it up. */
export async function peek(
  db: Database,
  secrets: Secrets,
  actor: Actor,
  now: Date,
  authorization: Pick<PendingAuthorization, 'state' | 'provider'>,
): Promise<Taken | null> {
  const [row] = await db
    .select()
    .from(authorizations)
    .where(own(actor, now, authorization))
  return row ? open(secrets, row) : null
}

/** Only once; null when it is unknown, used, expired or another person's. */
export async function take(
  db: Database,
  secrets: Secrets,
  actor: Actor,
  now: Date,
  authorization: Pick<PendingAuthorization, 'state' | 'provider'>,
): Promise<Taken | null> {
  const [row] = await db
    .delete(authorizations)
    .where(own(actor, now, authorization))
    .returning()
  return row ? open(secrets, row) : null
}

const own = (actor: Actor, now: Date, { state, provider }: Pick<PendingAuthorization, 'state' | 'provider'>) =>
  and(
    eq(authorizations.stateDigest, digest(state)),
    eq(authorizations.userId, actor.principal.id),
    eq(authorizations.provider, provider),
    gt(authorizations.expiresAt, now),
  )

const open = (
  secrets: Secrets,
  { id, brandId, unsavedId, isOnboarding, sealedKept }: typeof authorizations.$inferSelect,
): Taken => ({
  brandId,
  unsavedId,
  isOnboarding,
  pending: JSON.parse(secrets.open(sealedKept, contextOf(id))),
})
