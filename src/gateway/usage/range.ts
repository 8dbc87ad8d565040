import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { dayAfter, dayMs, dayOf } from './partitions.ts'

/** UTC days, both inclusive. */
export interface DayRange {
  from: string
  to: string
}

/** Several, separated by commas or as repeated parameters. */
export const listOfNames = <Name extends string>(name: z.ZodType<Name>) =>
  z
    .preprocess(
      (given) =>
        (Array.isArray(given) ? given : [given]).flatMap((one) => (typeof one === 'string' ? one.split(',') : one)),
      z.array(name).min(1).max(5),
    )
    .transform((names) => [...new Set(names)])
    .optional()

const defaultDays = 30

/** @throws {Problem} 422 for more than `maxDays`, or an end before the start */
export function rangeOf({ from, to }: Partial<DayRange>, now: Date, maxDays: number): DayRange {
  const last = to ?? (from ? later(from, dayOf(now)) : dayOf(now))
  const first = from ?? dayAfter(last, 1 - defaultDays)
  const days = (Date.parse(last) - Date.parse(first)) / dayMs + 1
  if (days < 1) throw invalid([{ path: 'to', message: 'Must not be before from.' }])
  if (days > maxDays) throw invalid([{ path: 'from', message: `Choose a range of at most ${maxDays} days.` }])
  return { from: first, to: last }
}

const later = (one: string, other: string): string => (one > other ? one : other)

/** Null for all organizations. @throws {Problem} 404 for another one, unless a super admin asks */
export function organizationFor(actor: Actor, requested: string | undefined): string | null {
  if (requested === undefined) return organizationOf(actor, 'usage:read')
  if (actor.isSuperAdmin) return requested === 'all' ? null : requested.toLowerCase()
  if (requested.toLowerCase() !== actor.organization?.id) throw notFound('organization')
  return requested.toLowerCase()
}
