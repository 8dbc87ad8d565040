import { notFound } from '#lib/errors.ts'
import { bytesToId, idToBytes } from '#lib/ids.ts'
import type { Secrets } from '#lib/secrets.ts'
import { openSignedBytes, signBytes } from '#lib/secrets/signed-bytes.ts'
import { plainText } from '#lib/text.ts'
import type { Owner } from '../preferences/row.ts'

export const UnsubscribeToken = plainText(200)

const idLength = 16
const signing = { purpose: 'notification emails', tagLength: 16 }

/** Ends the emails of a person about an organization, and nothing else. It has no end: old emails can be unsubscribed. */
export function createUnsubscribeToken(secrets: Secrets, { organizationId, personId }: Owner): string {
  const owner = Buffer.concat([idToBytes(organizationId), idToBytes(personId)])
  return signBytes(secrets, signing, owner).toString('base64url')
}

/** @throws {Problem} 404 for a token that this installation didn’t issue */
export function ownerOfToken({ secrets }: { secrets: Secrets }, token: string): Owner {
  const bytes = openSignedBytes(secrets, { ...signing, bodyLength: 2 * idLength }, Buffer.from(token, 'base64url'))
  if (!bytes) throw notFound('link')
  return { organizationId: bytesToId(bytes.subarray(0, idLength)), personId: bytesToId(bytes.subarray(idLength)) }
}
