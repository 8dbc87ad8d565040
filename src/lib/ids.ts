import { z } from 'zod'

/** A UUID of any version; a malformed one in a path is 404, elsewhere 422 (PLT-11). */
export const Id = z.guid('Must be an ID (a UUID).')

export const newId = (): string => Bun.randomUUIDv7()

/** The lowest one of `newId` at a time: IDs are indexed, and begin with their time. */
export function firstIdAt(time: Date): string {
  const ms = Math.max(0, time.getTime()).toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`
}

export const idToBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

export const bytesToId = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** `bytes` random bytes as base64url: 32 make a 256-bit secret. */
export const randomToken = (bytes = 32): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('base64url')

/** SHA-256 as hex, stored and compared instead of a token. */
export const digest = (token: string): string => Bun.CryptoHasher.hash('sha256', token, 'hex')

/** An ID for examples. Joined at runtime, since no ID of an environment may be in the source (IDN-11). */
export const exampleId = ['01a1fd0c', 'ba55', '7578', '8cb9', 'e15f0af4b4f1'].join('-')
