import { createHmac, timingSafeEqual } from 'node:crypto'
import { notFound } from '#lib/errors.ts'
import type { Secrets } from '#lib/secrets.ts'
import type { Variant } from '../files.ts'

/** Links without a session for networks that fetch the files of posts. They end before anyone can pass them on for long. */

const lifetimeMs = 6 * 60 * 60_000
const variants: readonly Variant[] = ['original', 'web', 'preview', 'thumb']
const idLength = 16
const timeLength = 6
const bodyLength = idLength + 1 + timeLength
const tagLength = 16

interface LinkedFile {
  id: string
  variant: Variant
}

type Signing = Pick<Secrets, 'derive'>

const sign = (secrets: Signing, body: Uint8Array): Buffer =>
  createHmac('sha256', secrets.derive('social.media-links')).update(body).digest().subarray(0, tagLength)

/** The path of a file that anyone can download until the link expires. */
export function createMediaPath(secrets: Signing, { id, variant }: LinkedFile, now: Date): string {
  const body = Buffer.alloc(bodyLength)
  body.write(id.replaceAll('-', ''), 'hex')
  body.writeUInt8(variants.indexOf(variant), idLength)
  body.writeUIntBE(now.getTime() + lifetimeMs, idLength + 1, timeLength)
  return `/api/media-links/${Buffer.concat([body, sign(secrets, body)]).toString('base64url')}`
}

/** @throws {Problem} 404 for a link that is expired or that this installation didn’t create */
export function readMediaLink(secrets: Signing, token: string, now: Date): LinkedFile {
  const all = Buffer.from(token, 'base64url')
  const body = all.subarray(0, bodyLength)
  if (all.length !== bodyLength + tagLength || !timingSafeEqual(all.subarray(bodyLength), sign(secrets, body)))
    throw notFound('file')
  const variant = variants[body.readUInt8(idLength)]
  if (!variant || body.readUIntBE(idLength + 1, timeLength) < now.getTime()) throw notFound('file')
  const id = body.toString('hex', 0, idLength).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { id, variant }
}
