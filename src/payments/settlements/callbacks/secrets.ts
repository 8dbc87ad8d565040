import { eq, sql } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import type { Database } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { openValidSecrets } from '#lib/outgoing-webhooks/secret.ts'
import { newSigningSecret } from '#lib/outgoing-webhooks/signature.ts'
import { sealContext } from '#lib/secrets/sealed.ts'
import type { Secrets } from '#lib/secrets.ts'
import type { z } from 'zod'
import type { CallbackSecrets } from '../../contract/settlements.ts'
import { callbackSecrets } from '../../schema.ts'

type SecretRow = typeof callbackSecrets.$inferSelect

const overlapHours = 24
const hourMs = 3_600_000

const contextOf = (id: string): string => sealContext(callbackSecrets.sealedSecret, id)

const endingOf = (secret: string): string => secret.slice(-4)

/** Makes the organization’s first secret, with which its callbacks are signed until it is rotated. */
export async function ensureCallbackSecret(tx: Database, secrets: Secrets, organizationId: string): Promise<void> {
  const known = await tx.$count(callbackSecrets, eq(callbackSecrets.organizationId, organizationId))
  if (known === 0) await tx.insert(callbackSecrets).values(newRow(secrets, organizationId).row).onConflictDoNothing()
}

function newRow(secrets: Secrets, organizationId: string) {
  const id = newId()
  const secret = newSigningSecret()
  const sealedSecret = secrets.seal(secret, contextOf(id))
  return { secret, row: { id, organizationId, sealedSecret, lastFour: endingOf(secret) } }
}

/** That are valid now: two during a rotation, and none without a batch or rotation. */
export async function validSecretsOf(
  db: Database,
  secrets: Secrets,
  organizationId: string,
  at: Date,
): Promise<string[]> {
  const row = await findSecrets(db, organizationId)
  if (!row) return []
  return openValidSecrets(secrets, { ...row, previousSecretEndsAt: row.previousEndsAt }, contextOf(row.id), at)
}

const findSecrets = async (db: Database, organizationId: string): Promise<SecretRow | undefined> => {
  const [row] = await db.select().from(callbackSecrets).where(eq(callbackSecrets.organizationId, organizationId))
  return row
}

type Described = Omit<z.input<typeof CallbackSecrets>, 'can'>

export async function readSecrets(db: Database, organizationId: string, now: Date): Promise<Described> {
  const row = await findSecrets(db, organizationId)
  return row ? describeSecrets(row, now) : { current: null, previous: null }
}

const describeSecrets = (row: SecretRow, now: Date): Described => ({
  current: { ending: row.lastFour, createdAt: row.rotatedAt ?? row.createdAt },
  previous:
    row.previousEndsAt !== null && row.previousEndsAt > now
      ? { ending: row.previousLastFour ?? '', endsAt: row.previousEndsAt }
      : null,
})

interface Rotation {
  db: Database
  secrets: Secrets
  organizationId: string
  by: string
  at: Date
}

/** The one before signs too for 24 hours. @throws {Problem} 409 while the one before that still does */
export async function rotateSecrets({
  db,
  secrets,
  organizationId,
  by,
  at,
}: Rotation): Promise<Described & { secret: string }> {
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`callback secrets ${organizationId}`}, 0))`)
  const before = await findSecrets(db, organizationId)
  if (before?.previousEndsAt && before.previousEndsAt > at)
    throw conflict(
      'secret_overlap',
      `The previous secret is valid until ${before.previousEndsAt.toISOString()}. Rotate again after that.`,
    )
  const made = newRow(secrets, organizationId)
  const changed = { rotatedBy: by, rotatedAt: at }
  const [row] = before
    ? await db
        .update(callbackSecrets)
        .set({
          ...changed,
          sealedSecret: secrets.seal(made.secret, contextOf(before.id)),
          lastFour: made.row.lastFour,
          sealedPreviousSecret: before.sealedSecret,
          previousLastFour: before.lastFour,
          previousEndsAt: new Date(at.getTime() + overlapHours * hourMs),
          version: sql`${callbackSecrets.version} + 1`,
        })
        .where(eq(callbackSecrets.id, before.id))
        .returning()
    : await db
        .insert(callbackSecrets)
        .values({ ...made.row, ...changed })
        .returning()
  if (!row) throw new Error('The callback secret was not stored')
  const after = describeSecrets(row, at)
  recordChange(db, {
    object: 'callback_secrets',
    id: row.id,
    ...(before && { before: { ending: before.lastFour } }),
    after: { ending: row.lastFour, previousEndsAt: row.previousEndsAt },
  })
  return { ...after, secret: made.secret }
}
