import { notFound } from '#lib/errors.ts'
import type { Secrets } from '#lib/secrets.ts'
import { openSignedBytes, signBytes } from '#lib/secrets/signed-bytes.ts'

/** Names one request to delete data, in hexadecimal: its time, a part of the account’s digest, and our signature. */
const timeLength = 6
const subjectLength = 8
const bodyLength = timeLength + subjectLength
const signing = { purpose: 'social.data-deletions', tagLength: 10 }

type Signing = Pick<Secrets, 'derive'>

/** The same for a repeated request. */
export function createDeletionCode(
  secrets: Signing,
  { subject, issuedAt }: { subject: string; issuedAt: Date },
): string {
  const body = Buffer.alloc(bodyLength)
  body.writeUIntBE(issuedAt.getTime(), 0, timeLength)
  body.write(subject.slice(0, 2 * subjectLength), timeLength, 'hex')
  return signBytes(secrets, signing, body).toString('hex')
}

/** The time of the request; null when the network didn’t say. @throws {Problem} 404 for a code that isn’t ours */
export function readDeletionCode(secrets: Signing, code: string): { requestedAt: Date | null } {
  const body = openSignedBytes(secrets, { ...signing, bodyLength }, Buffer.from(code, 'hex'))
  if (!body) throw notFound('request')
  const ms = body.readUIntBE(0, timeLength)
  return { requestedAt: ms === 0 ? null : new Date(ms) }
}
