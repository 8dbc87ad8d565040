import { eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, type Problem } from '#lib/errors.ts'
import type { PaymentSettings, PaymentSettingsEdit } from '../contract/settings.ts'
import { settings } from '../schema.ts'

type StoredSettings = z.input<typeof PaymentSettings>

const defaults: StoredSettings = {
  refundCeilings: {},
  batchCeilings: {},
  version: 1,
  updatedBy: null,
  updatedAt: null,
}

export async function readSettings(db: Database, organizationId: string): Promise<StoredSettings> {
  const [row] = await db.select().from(settings).where(eq(settings.organizationId, organizationId))
  return row ?? defaults
}

/** The amount above which a second person is needed; null without a ceiling. */
export const ceilingOf = (ceilings: Readonly<Record<string, number>>, currency: string): bigint | null => {
  const ceiling = ceilings[currency]
  return ceiling === undefined ? null : BigInt(ceiling)
}

/** @param versions Of which the settings must have one. @throws {Problem} 409 `version_conflict` */
export async function saveSettings(
  { actor, db, now }: Pick<Call<unknown, Actor>, 'actor' | 'db' | 'now'>,
  { refundCeilings, batchCeilings }: PaymentSettingsEdit,
  versions: readonly number[] | null,
): Promise<StoredSettings> {
  const organizationId = organizationOf(actor, 'settings:write')
  await db.insert(settings).values({ organizationId }).onConflictDoNothing()
  const ofOrganization = eq(settings.organizationId, organizationId)
  const [before] = await db.select().from(settings).where(ofOrganization).for('update')
  if (!before) throw new Error('The settings were not inserted')
  if (versions && !versions.includes(before.version)) throw versionConflict(before.version)
  const [after] = await db
    .update(settings)
    .set({
      ...(refundCeilings && { refundCeilings }),
      ...(batchCeilings && { batchCeilings }),
      version: sql`${settings.version} + 1`,
      updatedBy: actor.principal.id,
      updatedAt: now(),
    })
    .where(ofOrganization)
    .returning()
  if (!after) throw new Error('The locked settings are gone')
  const fields = (row: typeof before) => ({ refundCeilings: row.refundCeilings, batchCeilings: row.batchCeilings })
  recordChange(db, {
    object: 'payment_settings',
    id: organizationId,
    before: fields(before),
    after: fields(after),
  })
  return after
}

const versionConflict = (version: number): Problem =>
  conflict(
    'version_conflict',
    'Someone changed these settings after you opened them. Your changes weren’t saved. Reload and make them again.',
    { current: { version } },
  )
