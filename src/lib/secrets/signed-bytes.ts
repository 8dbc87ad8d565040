import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '#lib/secrets.ts'

type Deriving = Pick<Secrets, 'derive'>

interface Signing {
  purpose: string
  /** Of the signature, in bytes. */
  tagLength: number
}

/** Adds a signature for one purpose, so that only this installation can have made the bytes. */
export const signBytes = (secrets: Deriving, signing: Signing, body: Uint8Array): Buffer =>
  Buffer.concat([body, tagOf(secrets, signing, body)])

/** The bytes without their signature; null when it is wrong, or they have another length. */
export function openSignedBytes(
  secrets: Deriving,
  { bodyLength, ...signing }: Signing & { bodyLength: number },
  signed: Buffer,
): Buffer | null {
  const body = signed.subarray(0, bodyLength)
  if (signed.length !== bodyLength + signing.tagLength) return null
  return timingSafeEqual(signed.subarray(bodyLength), tagOf(secrets, signing, body)) ? body : null
}

const tagOf = (secrets: Deriving, { purpose, tagLength }: Signing, body: Uint8Array): Buffer =>
  createHmac('sha256', secrets.derive(purpose)).update(body).digest().subarray(0, tagLength)
