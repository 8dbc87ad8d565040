import { Problem } from '#lib/errors.ts'
import { allowedApps } from './entitlements.ts'
import type { Entitlement } from './contract.ts'

/** The sizes of bundles that are sold; the next step is the mode `all`. */
const bundles = [3, 5, 10]

const exceeded = (detail: string, members: Record<string, unknown>) =>
  new Problem(402, 'entitlement_exceeded', detail, { members: { title: 'Entitlement exceeded', ...members } })

const reasons: Record<NonNullable<Entitlement['standing']>, string> = {
  unpaid: 'An invoice of this organization isn’t paid. An owner can pay it in Settings, Billing.',
  ended: 'The subscription of this organization has ended. An owner can subscribe again in Settings, Billing.',
}

/** With the smallest bundle that allows it. */
export function appsExceeded(entitlement: Entitlement, app: { slug: string; name: string }, used: number): Problem {
  const allowed = allowedApps(entitlement) ?? 0
  const size = bundles.find((each) => each > used)
  const wouldAllow = size === undefined ? { mode: 'all' } : { mode: 'count', paidAppCount: size }
  const { standing } = entitlement
  return exceeded(
    standing === undefined
      ? `This organization’s plan allows ${allowed} paid apps, and ${used} are installed. Remove an app or change the plan to install ${app.name}.`
      : `${app.name} can’t be installed. ${reasons[standing]}`,
    { mode: entitlement.mode, used, allowed, wouldAllow },
  )
}

export const appNotCovered = (entitlement: Entitlement, app: { slug: string; name: string }, used: number): Problem =>
  exceeded(`This organization’s plan doesn’t include ${app.name}. Change the plan to install it.`, {
    mode: entitlement.mode,
    used,
    allowed: allowedApps(entitlement),
    wouldAllow: { ...entitlement, appSlugs: [...(entitlement.appSlugs ?? []), app.slug] },
  })

export const seatsExceeded = (used: number, paid: number, standing: Entitlement['standing']): Problem =>
  exceeded(
    standing === undefined
      ? `All ${paid} seats of this organization are taken. Remove a member or add a seat to the plan.`
      : `No one can join. ${reasons[standing]}`,
    { used, allowed: paid, wouldAllow: { seats: used + 1 } },
  )
