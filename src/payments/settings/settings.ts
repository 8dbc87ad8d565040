import { eq, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import type { PaymentSettingsEdit } from '../contract/settings.ts'
import { raiseAction, resolveAction } from '#lib/raised-actions.ts'
import type { RaisedCeiling } from '../schema/merchants.ts'
import { ceilingKind } from '../notification-kinds.ts'
import { settings } from '../schema.ts'
import { requireVersion } from '../version.ts'
import { editCeilings, raisedAfter } from './ceilings.ts'

export type StoredSettings = Omit<typeof settings.$inferSelect, 'organizationId' | 'updatedAt'> & {
  updatedAt: Date | null
}

const defaults: StoredSettings = {
  refundCeilings: {},
  batchCeilings: {},
  raised: [],
  version: 1,
  updatedBy: null,
  updatedAt: null,
}

export async function readSettings(db: Database, organizationId: string): Promise<StoredSettings> {
  const [row] = await db.select().from(settings).where(eq(settings.organizationId, organizationId))
  return row ?? defaults
}

interface Saving {
  /** Of which the settings must have one. */
  versions: readonly number[] | null
  /** Whether the caller confirms a raised ceiling. */
  isConfirmed(raised: RaisedCeiling): boolean
}

/** @throws {Problem} 409 `version_conflict` */
export async function saveSettings(
  { actor, db, now }: Pick<Call<unknown, Actor>, 'actor' | 'db' | 'now'>,
  edit: PaymentSettingsEdit,
  { versions, isConfirmed }: Saving,
): Promise<StoredSettings> {
  const organizationId = organizationOf(actor, 'settings:write')
  await db.insert(settings).values({ organizationId }).onConflictDoNothing()
  const ofOrganization = eq(settings.organizationId, organizationId)
  const [before] = await db.select().from(settings).where(ofOrganization).for('update')
  if (!before) throw new Error('The settings were not inserted')
  requireVersion(before, versions, 'these settings')
  const ceilings = editCeilings(before, edit)
  const unconfirmed = { ...before, raised: before.raised.filter((each) => !isConfirmed(each)) }
  const [after] = await db
    .update(settings)
    .set({
      ...ceilings,
      raised: raisedAfter(unconfirmed, ceilings, actor.principal.id),
      version: sql`${settings.version} + 1`,
      updatedBy: actor.principal.id,
      updatedAt: now(),
    })
    .where(ofOrganization)
    .returning()
  if (!after) throw new Error('The locked settings are gone')
  const fields = (row: typeof before) => ({
    refundCeilings: row.refundCeilings,
    batchCeilings: row.batchCeilings,
    raised: row.raised,
  })
  await updateAction(db, after)
  recordChange(db, {
    object: 'payment_settings',
    id: organizationId,
    before: fields(before),
    after: fields(after),
  })
  return after
}

/** Asks for the confirmation of raised ceilings, until there are none. */
async function updateAction(db: Database, { organizationId, raised }: typeof settings.$inferSelect): Promise<void> {
  const cause = `payments.raised-ceilings.${organizationId}`
  const href = '/pay/settings'
  if (raised.length === 0) return resolveAction(db, cause)
  await raiseAction(db, {
    kind: ceilingKind,
    organizationId,
    cause,
    title: raised.length === 1 ? 'Confirm a raised ceiling of payments' : 'Confirm raised ceilings of payments',
    reason: 'Until another person confirms it, the earlier ceiling applies to the person who raised or removed it.',
    href,
    actions: [
      {
        label: 'Confirm',
        method: 'PUT',
        href: '/api/pay/settings',
        body: { confirmRaised: true },
        style: 'primary',
        confirm: 'Amounts up to the raised ceilings no longer need a second person.',
      },
      { label: 'Review', method: 'GET', href },
    ],
  })
}
