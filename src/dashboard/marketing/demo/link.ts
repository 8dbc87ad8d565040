import { z } from 'zod'
import type { Secrets } from '#lib/secrets.ts'
import { createLinkToken, linkedId } from '../link-token.ts'

/** Correcting the address of a booking raises the version, so that links in emails to the old address stop working. */
interface BookingLink {
  id: string
  linkVersion: number
}

const purpose = 'demo booking links'
/** The first version has only the ID. */
const Versioned = z.tuple([z.string(), z.coerce.number().int().default(0)])

export const createBookingToken = (secrets: Secrets, { id, linkVersion }: BookingLink): string =>
  createLinkToken(secrets, purpose, linkVersion === 0 ? id : `${id}_${linkVersion}`)

/** Null for a token that this server didn't sign. */
export function readBookingToken(secrets: Secrets, token: string): BookingLink | null {
  const signed = linkedId(secrets, purpose, token)
  if (signed === null) return null
  const [id, linkVersion] = Versioned.parse(signed.split('_'))
  return { id, linkVersion }
}
