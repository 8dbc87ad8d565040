import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Config } from '#config'
import { recordChange } from '#lib/audit.ts'
import type { Database } from '#lib/db.ts'
import { passkeys, upstreamIdentities } from '../../schema.ts'
import { listOrganizationsRequiring } from '../../sign-in/second-factor/required.ts'
import { nameOf } from '../../sign-in/social-login/identities.ts'

const dayMs = 24 * 60 * 60 * 1000
/** Sign-in methods count as new for this long. */
const newForMs = 30 * dayMs

/** A sign-in method other than the password: a reset must remove it explicitly. */
export interface SignInWay {
  id: string
  kind: 'passkey' | 'identity'
  /** For people. */
  name: string
  addedAt: Date
  /** Added in the last 30 days, after sign-up: a reset removes it by default. */
  isNew: boolean
  /** An organization requires it as a second factor, so access to the mailbox alone can’t remove it. */
  isLocked: boolean
}

/** Oldest first. */
export async function listSignInWays(
  db: Database,
  { id, createdAt }: { id: string; createdAt: Date },
  { config, now }: { config: Config; now: Date },
): Promise<SignInWay[]> {
  const [keys, identities, [requiring]] = await Promise.all([
    db.select().from(passkeys).where(eq(passkeys.userId, id)).orderBy(asc(passkeys.id)),
    db.select().from(upstreamIdentities).where(eq(upstreamIdentities.userId, id)).orderBy(asc(upstreamIdentities.id)),
    listOrganizationsRequiring(db, id),
  ])
  const isNew = (addedAt: Date) =>
    now.getTime() - addedAt.getTime() < newForMs && addedAt.getTime() - createdAt.getTime() > signUpWindowMs
  return [
    ...keys.map((key) => ({
      kind: 'passkey' as const,
      ...toSignInWay(key, key.name),
      isLocked: requiring !== undefined,
    })),
    ...identities.map((each) => ({
      kind: 'identity' as const,
      ...toSignInWay(each, nameOf(config, each)),
      isLocked: false,
    })),
  ].map((way) => ({ ...way, isNew: !way.isLocked && isNew(way.addedAt) }))
}

/** An identity connected within this time after sign-up was part of it. */
const signUpWindowMs = 60_000

const toSignInWay = ({ id, createdAt }: { id: string; createdAt: Date }, name: string) => ({
  id,
  name,
  addedAt: createdAt,
})

export async function removeSignInWays(tx: Database, userId: string, ways: readonly SignInWay[]): Promise<void> {
  const ids = (kind: SignInWay['kind']) => ways.filter((way) => way.kind === kind).map(({ id }) => id)
  await tx.delete(passkeys).where(and(eq(passkeys.userId, userId), inArray(passkeys.id, ids('passkey'))))
  await tx
    .delete(upstreamIdentities)
    .where(and(eq(upstreamIdentities.userId, userId), inArray(upstreamIdentities.id, ids('identity'))))
  for (const { id, kind, name } of ways)
    recordChange(tx, {
      object: kind === 'passkey' ? 'passkey' : 'upstream_identity',
      id,
      before: { name },
      organizationId: null,
    })
}
