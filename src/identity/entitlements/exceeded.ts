import { Problem } from '#lib/errors.ts'
import { allowedApps } from './entitlements.ts'
import type { Entitlement } from './contract.ts'

/** The sizes of bundles that are sold; beyond them there is everything. */
const bundles = [3, 5, 10]

const exceeded = (detail: string, members: Record<string, unknown>) =>
  new Problem(402, 'entitlement_exceeded', detail, { members: { title: 'Entitlement exceeded', ...members } })

/** 402 for one paid app more than an organization has paid for, with the smallest bundle that would allow it. */
export function appsExceeded(entitlement: Entitlement, app: { slug: string; name: string }, used: number): Problem {
  const allowed = allowedApps(entitlement) ?? 0
  const size = bundles.find((each) => each > used)
  const wouldAllow = size === undefined ? { mode: 'all' } : { mode: 'count', paidAppCount: size }
  return exceeded(
    `This workspace’s plan allows ${allowed} paid apps, and ${used} are installed. Remove one, or change the plan, to install ${app.name}.`,
    { mode: entitlement.mode, used, allowed, wouldAllow },
  )
}

/** 402 for a paid app that isn't among those that an organization has paid for. */
export const appNotCovered = (entitlement: Entitlement, app: { slug: string; name: string }, used: number): Problem =>
  exceeded(`This workspace’s plan doesn’t cover ${app.name}. Change the plan to install it.`, {
    mode: entitlement.mode,
    used,
    allowed: allowedApps(entitlement),
    wouldAllow: { ...entitlement, appSlugs: [...(entitlement.appSlugs ?? []), app.slug] },
  })

/** 402 for one member more than an organization has paid seats. */
export const seatsExceeded = (used: number, paid: number): Problem =>
  exceeded(
    `All ${paid} seats of this workspace are taken. Someone has to leave, or its owner has to pay for another seat.`,
    { used, allowed: paid, wouldAllow: { seats: used + 1 } },
  )
