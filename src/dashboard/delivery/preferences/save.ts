import { and, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { invalid } from '#lib/errors.ts'
import type { NotificationKind } from '#lib/notification-kind.ts'
import { publishNotification } from '../../actions/notifications.topic.ts'
import { notificationPreferences } from '../../schema.ts'
import type { NotificationPreferencesEdit } from './contract.ts'
import { defaultPreferences, ofOwner, type Owner, type PreferencesRow } from './row.ts'

type SaveCall = Pick<Call<unknown, Actor>, 'db' | 'now' | 'events' | 'notificationKinds'>

/** On a transaction. @throws {Problem} 422 for an unknown kind, a locked channel, and quiet hours without an end */
export async function savePreferences(
  { db, now, events, notificationKinds }: SaveCall,
  owner: Owner,
  { choices: changed = [], ...edit }: NotificationPreferencesEdit,
): Promise<PreferencesRow> {
  await db
    .insert(notificationPreferences)
    .values({ ...owner, updatedAt: now() })
    .onConflictDoNothing()
  const [before = defaultPreferences] = await db
    .select()
    .from(notificationPreferences)
    .where(ofOwner(owner))
    .for('update')
  const values = { ...before, ...edit, choices: changeChoices(notificationKinds, before.choices, changed) }
  if (values.quietFrom === values.quietUntil)
    throw invalid([
      {
        path: edit.quietUntil === undefined ? 'quietFrom' : 'quietUntil',
        message: 'Must be another time than the other end.',
      },
    ])
  const { email, push, choices, frequency, dailyAt, timeZone } = values
  const { quietHours, quietFrom, quietUntil, quietDays } = values
  const fields = { email, push, choices, frequency, dailyAt, timeZone, quietHours, quietFrom, quietUntil }
  const [saved] = await db
    .update(notificationPreferences)
    .set({
      ...fields,
      quietDays: [...new Set(quietDays)].toSorted((one, other) => one - other),
      version: before.version + 1,
      updatedAt: now(),
    })
    .where(and(ofOwner(owner), eq(notificationPreferences.version, before.version)))
    .returning()
  if (!saved) throw new Error('The preferences were not stored')
  recordChange(db, {
    object: 'notification_preferences',
    id: owner.personId,
    before: auditFields(before),
    after: auditFields(saved),
    organizationId: owner.organizationId,
  })
  if (changed.some(({ channel }) => channel === 'inApp'))
    await publishNotification({ events }, db, owner.organizationId)
  return saved
}

const auditFields = ({ email, push, choices, frequency, quietHours, quietFrom, quietUntil }: PreferencesRow) => ({
  email,
  push,
  choices: JSON.stringify(choices),
  frequency,
  quietHours: quietHours ? `${quietFrom}–${quietUntil}` : 'off',
})

function changeChoices(
  kinds: readonly NotificationKind[],
  before: PreferencesRow['choices'],
  changed: NonNullable<NotificationPreferencesEdit['choices']>,
): PreferencesRow['choices'] {
  const all = structuredClone(before)
  for (const [at, { kind: name, channel, enabled }] of changed.entries()) {
    const kind = kinds.find((one) => one.name === name)
    if (!kind)
      throw invalid([{ path: `choices.${at}.kind`, message: 'Must be a kind of the list of your preferences.' }])
    if (!enabled && kind.locked?.includes(channel))
      throw invalid([{ path: `choices.${at}.enabled`, message: 'Must be true: this channel can’t be turned off.' }])
    all[name] = { ...all[name], [channel]: enabled }
  }
  return all
}
