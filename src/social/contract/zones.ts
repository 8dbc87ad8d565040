import { z } from 'zod'
import { TimeZone } from '#lib/time.ts'

const knownZones = new Map<string, boolean>()

/** A stored time zone. Reading the name of a zone takes several microseconds, so each is read once. */
export const StoredZone = z.string().refine((name) => {
  const isKnown = knownZones.get(name) ?? TimeZone.safeParse(name).success
  knownZones.set(name, isKnown)
  return isKnown
})
