import { createHmac } from 'node:crypto'
import type { Secrets } from '../secrets.ts'

/** By method, path and input, in any order of fields. An HMAC: a sent password can't be guessed from the table. */
export async function fingerprint(secrets: Secrets, method: string, path: string, input: unknown): Promise<string> {
  const text = JSON.stringify([method, path, await toCanonical(input)])
  return createHmac('sha256', secrets.derive('platform.idempotency')).update(text).digest('base64url')
}

async function toCanonical(value: unknown): Promise<unknown> {
  if (value instanceof Blob) return digestOf(value)
  if (Array.isArray(value)) return Promise.all(value.map(toCanonical))
  if (typeof value !== 'object' || value === null) return value
  const sorted = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Promise.all(sorted.map(async ([name, inner]) => [name, await toCanonical(inner)]))
}

async function digestOf(file: Blob): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  for await (const chunk of file.stream()) hasher.update(chunk)
  return hasher.digest('hex')
}
