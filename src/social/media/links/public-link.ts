import { notFound } from '#lib/errors.ts'
import { bytesToId, idToBytes } from '#lib/ids.ts'
import type { Secrets } from '#lib/secrets.ts'
import { openSignedBytes, signBytes } from '#lib/secrets/signed-bytes.ts'
import type { Variant } from '../files.ts'

/** Links without a session for networks that fetch the files of posts. They end before anyone can pass them on for long. */

const lifetimeMs = 6 * 60 * 60_000
const variants: readonly Variant[] = ['original', 'web', 'preview', 'thumb']
const idLength = 16
const timeLength = 6
const bodyLength = idLength + 1 + timeLength
const signing = { purpose: 'social.media-links', tagLength: 16 }

interface LinkedFile {
  id: string
  variant: Variant
}

type Signing = Pick<Secrets, 'derive'>

/** The path of a file that anyone can download until the link expires. */
export function createMediaPath(secrets: Signing, { id, variant }: LinkedFile, now: Date): string {
  const body = Buffer.alloc(bodyLength)
  body.set(idToBytes(id))
  body.writeUInt8(variants.indexOf(variant), idLength)
  body.writeUIntBE(now.getTime() + lifetimeMs, idLength + 1, timeLength)
  return `/api/media-links/${signBytes(secrets, signing, body).toString('base64url')}`
}

/** @throws {Problem} 404 for a link that is expired or that this installation didn’t create */
export function readMediaLink(secrets: Signing, token: string, now: Date): LinkedFile {
  const body = openSignedBytes(secrets, { ...signing, bodyLength }, Buffer.from(token, 'base64url'))
  if (!body) throw notFound('file')
  const variant = variants[body.readUInt8(idLength)]
  if (!variant || body.readUIntBE(idLength + 1, timeLength) < now.getTime()) throw notFound('file')
  return { id: bytesToId(body.subarray(0, idLength)), variant }
}
