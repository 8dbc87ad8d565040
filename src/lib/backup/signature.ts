import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Secrets } from '#lib/secrets.ts'

export const Signature = z.object({ keyId: z.string(), mac: z.string() })
export type Signature = z.infer<typeof Signature>

export const signatureName = 'signature.json'

const purpose = 'sign backups'
const macOf = (key: Uint8Array, digest: Uint8Array): Buffer => createHmac('sha256', key).update(digest).digest()

export function sign(secrets: Secrets, digest: Uint8Array): Signature {
  const key = secrets.deriveFrom(secrets.keyId, purpose)
  if (!key) throw new Error('Unknown encryption key')
  return { keyId: secrets.keyId, mac: macOf(key, digest).toString('base64url') }
}

/** Whether the signature matches the digest; null when its key is unknown. */
export function verifySignature({ keyId, mac }: Signature, secrets: Secrets, digest: Uint8Array): boolean | null {
  const key = secrets.deriveFrom(keyId, purpose)
  if (!key) return null
  const [given, expected] = [Buffer.from(mac, 'base64url'), macOf(key, digest)]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

export interface ContentDigest {
  add(name: string, bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void>
  passThrough(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>
  end(): Uint8Array
}

export function createContentDigest(): ContentDigest {
  const whole = createHash('sha256')
  async function* passing(name: string, bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
    const content = createHash('sha256')
    for await (const chunk of bytes) {
      content.update(chunk)
      yield chunk
    }
    whole.update(`${JSON.stringify([name, content.digest('hex')])}\n`)
  }
  return {
    passThrough: passing,
    add: async (name, bytes) => {
      for await (const _ of passing(name, bytes));
    },
    end: () => whole.digest(),
  }
}
