import { presentedBy } from '#identity'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { timeFormatsFrom } from '#lib/time.ts'
import { channelsOf, listVisibleKinds } from '../kinds.ts'
import type { NotificationPreferences } from './contract.ts'
import type { Owner, PreferencesRow } from './row.ts'

/** @throws {Problem} 403 in the personal account */
export const ownerOf = (actor: Actor): Owner => ({
  organizationId: organizationOf(actor),
  personId: actor.principal.id,
})

/** Outside of a transaction: identity is asked. */
export async function describePreferences(
  call: Call<unknown, Actor>,
  row: PreferencesRow,
): Promise<NotificationPreferences> {
  const presented = presentedBy(call.request)
  const [{ user }, profile, kinds] = await Promise.all([
    call.identity.me(presented),
    call.identity.preferences(presented),
    listVisibleKinds(call),
  ])
  const { email, push, choices, frequency, dailyAt, quietHours, quietFrom, quietUntil, quietDays } = row
  return {
    email,
    emailAddress: user.email,
    push,
    frequency,
    dailyAt,
    timeZone: profile.timeZone ?? row.timeZone ?? timeFormatsFrom(call.request.cookies).zone,
    quietHours,
    quietFrom,
    quietUntil,
    quietDays: [...quietDays],
    kinds: kinds.map((kind) => {
      const { inApp, email: byEmail, push: byPush } = channelsOf(kind, choices[kind.name])
      return {
        kind: kind.name,
        group: kind.group,
        title: kind.title,
        detail: kind.detail ?? null,
        urgent: kind.urgent ?? false,
        channels: { inApp, email: byEmail, push: byPush },
        locked: [...(kind.locked ?? [])],
      }
    }),
  }
}
