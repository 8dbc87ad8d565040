import { createHmac, timingSafeEqual } from 'node:crypto'
import { notFound } from '#lib/errors.ts'
import type { Secrets } from '#lib/secrets.ts'
import { plainText } from '#lib/text.ts'
import type { Owner } from '../preferences/row.ts'

export const UnsubscribeToken = plainText(200)

const idLength = 16
const tagLength = 16

const toBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

const toId = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

const sign = (secrets: Secrets, bytes: Buffer): Buffer =>
  createHmac('sha256', secrets.derive('notification emails')).update(bytes).digest().subarray(0, tagLength)

/** Ends the emails of a person about an organization, and nothing else. It has no end: old emails can be unsubscribed. */
export function createUnsubscribeToken(secrets: Secrets, { organizationId, personId }: Owner): string {
  const bytes = Buffer.concat([toBytes(organizationId), toBytes(personId)])
  return Buffer.concat([bytes, sign(secrets, bytes)]).toString('base64url')
}

/** @throws {Problem} 404 for a token that this installation didn’t issue */
export function ownerOfToken({ secrets }: { secrets: Secrets }, token: string): Owner {
  const all = Buffer.from(token, 'base64url')
  if (all.length !== 2 * idLength + tagLength) throw notFound('link')
  const bytes = all.subarray(0, 2 * idLength)
  if (!timingSafeEqual(all.subarray(2 * idLength), sign(secrets, bytes))) throw notFound('link')
  return { organizationId: toId(bytes.subarray(0, idLength)), personId: toId(bytes.subarray(idLength)) }
}
