import { createHmac, timingSafeEqual } from 'node:crypto'
import { notFound } from '#lib/errors.ts'
import type { Secrets } from '#lib/secrets.ts'

/** Names one request to delete data, in hexadecimal: its time, a part of the account’s digest, and our signature. */
const timeLength = 6
const subjectLength = 8
const bodyLength = timeLength + subjectLength
const tagLength = 10

type Signing = Pick<Secrets, 'derive'>

const sign = (secrets: Signing, body: Uint8Array): Buffer =>
  createHmac('sha256', secrets.derive('social.data-deletions')).update(body).digest().subarray(0, tagLength)

/** The same for a repeated request. */
export function createDeletionCode(
  secrets: Signing,
  { subject, issuedAt }: { subject: string; issuedAt: Date },
): string {
  const body = Buffer.alloc(bodyLength)
  body.writeUIntBE(issuedAt.getTime(), 0, timeLength)
  body.write(subject.slice(0, 2 * subjectLength), timeLength, 'hex')
  return Buffer.concat([body, sign(secrets, body)]).toString('hex')
}

/** The time of the request; null when the network didn’t say. @throws {Problem} 404 for a code that isn’t ours */
export function readDeletionCode(secrets: Signing, code: string): { requestedAt: Date | null } {
  const all = Buffer.from(code, 'hex')
  const body = all.subarray(0, bodyLength)
  if (all.length !== bodyLength + tagLength || !timingSafeEqual(all.subarray(bodyLength), sign(secrets, body)))
    throw notFound('request')
  const ms = body.readUIntBE(0, timeLength)
  return { requestedAt: ms === 0 ? null : new Date(ms) }
}
