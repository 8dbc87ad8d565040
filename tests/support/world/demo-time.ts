import { readConfig } from '#config'
import { bookableSpan, slotsWithin } from '../../../src/dashboard/marketing/demo/slots.ts'

const config = readConfig({ ATRIUM_ENV: 'test' })

/** A time that is offered; those of different numbers are different. */
export function demoTime(number: number): string {
  // A day of reserve: runs that are slow, or use a stored world, still find it offered.
  const now = new Date()
  const slots = slotsWithin(config, bookableSpan(config, now), now)
  return slots[number + 24]?.startsAt.toISOString() ?? ''
}
