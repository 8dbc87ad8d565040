import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { PaymentSettingsEdit } from '../contract/settings.ts'
import type { RaisedCeiling } from '../schema/merchants.ts'
import { requireApprover } from '../second-person.ts'
import { readSettings } from './settings.ts'

const permission = 'settings:write'

/**
 * Which raised ceilings the caller confirms: those of others, and their own when no one else can. @throws {Problem} as
 * `requireApprover` when there are only their own
 */
export async function confirmationOf(
  call: Call<PaymentSettingsEdit, Actor>,
): Promise<(raised: RaisedCeiling) => boolean> {
  const { actor, input, db } = call
  if (!input.confirmRaised) return () => false
  const { raised } = await readSettings(db, organizationOf(actor, permission))
  const own = actor.principal.id
  const ofOthers = raised.filter(({ by }) => by !== own)
  if (raised.length > 0 && ofOthers.length === 0)
    await requireApprover(call, { requestedBy: own, permission, code: input.code, next: '/pay/settings' })
  const confirmed = new Set((ofOthers.length > 0 ? ofOthers : raised).map(keyOf))
  return (each) => confirmed.has(keyOf(each))
}

const keyOf = ({ of, currency, before, by }: RaisedCeiling): string => `${of} ${currency} ${before} ${by}`
