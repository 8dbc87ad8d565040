import type { NotificationKind } from '#lib/notification-kind.ts'
import type { notificationDeliveries, notifications } from '../../schema.ts'
import { channelsOf, kindOf } from '../kinds.ts'
import { gatheredAfter, gatheredUntil, quietEnd } from '../quiet-hours.ts'
import { emailPauseMs, type Reader } from './readers.ts'

type Draft = Pick<typeof notificationDeliveries.$inferInsert, 'channel' | 'targetId' | 'personId' | 'dueAt'>

/** Where one person is told of a notification, and when: what quiet hours hold comes as one email after them. */
export function decideDeliveries(
  { id, zone, preferences, subscriptions, lastEmailAt }: Reader,
  { kind: name }: Pick<typeof notifications.$inferSelect, 'kind'>,
  { kinds, at }: { kinds: readonly NotificationKind[]; at: Date },
): Draft[] {
  const kind = kindOf(kinds, name)
  const channels = channelsOf(kind, preferences.choices[kind.name])
  const isEmailed = channels.email && (preferences.email || (kind.locked?.includes('email') ?? false))
  const isPushed = channels.push && preferences.push && subscriptions.length > 0
  const email = (dueAt: Date): Draft => ({ channel: 'email', targetId: id, personId: id, dueAt })
  const push = (dueAt: Date): Draft[] =>
    subscriptions.map((targetId) => ({ channel: 'push', targetId, personId: id, dueAt }))
  const heldUntil = kind.urgent ? null : quietEnd(preferences, at, zone)
  if (heldUntil) {
    if (isEmailed || (isPushed && preferences.email)) {
      const isImmediate = preferences.frequency === 'immediate'
      return [email(isImmediate ? heldUntil : gatheredAfter(preferences, heldUntil, zone))]
    }
    return isPushed ? push(heldUntil) : []
  }
  const gathered = kind.urgent ? at : gatheredUntil(preferences, at, zone)
  const afterPause = lastEmailAt
    ? new Date(Math.max(gathered.getTime(), lastEmailAt.getTime() + emailPauseMs))
    : gathered
  const emailAt = (kind.urgent ? null : quietEnd(preferences, afterPause, zone)) ?? afterPause
  return [...(isEmailed ? [email(emailAt)] : []), ...(isPushed ? push(at) : [])]
}
