const digits = '234567abcdefghijklmnopqrstuvwxyz'

/** Milliseconds over which the keys of posts that were made in one instant are spread. */
const spread = 60_000n

/**
 * A record key that follows from a post's key, so that sending twice makes one record. Records of this kind want a
 * TID (atproto.com/specs/tid): microseconds, here of the post's UUIDv7, and 10 bits, in base 32.
 */
export function recordKeyOf(key: string): string {
  const made = BigInt(`0x${key.replaceAll('-', '').slice(0, 12)}`) & ((1n << 43n) - 1n)
  const chance = new DataView(new Bun.CryptoHasher('sha256').update(key).digest().buffer).getBigUint64(0)
  const microseconds = (made - (chance % spread)) * 1000n + ((chance >> 20n) % 1000n)
  const number = (microseconds << 10n) | (chance >> 54n)
  return Array.from({ length: 13 }, (_, at) => digits[Number((number >> BigInt(5 * (12 - at))) & 31n)]).join('')
}
