const digits = '234567abcdefghijklmnopqrstuvwxyz'

/** Over which the keys of posts that were created at the same time are spread. */
const spreadMs = 60_000n

/** A TID (atproto.com/specs/tid) derived from the post's UUIDv7, so that sending twice creates one record. */
export function recordKeyOf(key: string): string {
  const createdMs = BigInt(`0x${key.replaceAll('-', '').slice(0, 12)}`) & ((1n << 43n) - 1n)
  const hash = new DataView(new Bun.CryptoHasher('sha256').update(key).digest().buffer).getBigUint64(0)
  const microseconds = (createdMs - (hash % spreadMs)) * 1000n + ((hash >> 20n) % 1000n)
  const number = (microseconds << 10n) | (hash >> 54n)
  return Array.from({ length: 13 }, (_, at) => digits[Number((number >> BigInt(5 * (12 - at))) & 31n)]).join('')
}
