import type { KeyMode } from '../contract.ts'

interface KeyText {
  mode: KeyMode
  publicId: string
  /** All but the checksum; this part is hashed. */
  body: string
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const pattern = /^atr_(live|test)_([0-9A-Za-z]{12})_[0-9A-Za-z]{43}(?=[0-9A-Za-z]{6}$)/

export const isApiKey = (bearer: string): boolean => bearer.startsWith('atr_')

/** `atr_<live|test>_<12 characters of its id>_<256 bits><checksum>`, shown only once (IDN-30). */
export function generateKeyText(mode: KeyMode): KeyText & { text: string } {
  const publicId = randomLetters(12)
  const body = `atr_${mode}_${publicId}_${randomLetters(43)}`
  return { mode, publicId, body, text: body + checksum(body) }
}

/** Null for another form or a wrong checksum. */
export function parseKeyText(text: string): KeyText | null {
  const [body, mode, publicId = ''] = pattern.exec(text) ?? []
  if (!body || text !== body + checksum(body)) return null
  return { mode: mode === 'test' ? 'test' : 'live', publicId, body }
}

/** CRC-32 as six letters: typos are found without a query, and secret scanners can recognize keys. */
const checksum = (body: string): string => {
  let rest = Bun.hash.crc32(body)
  let letters = ''
  for (let at = 0; at < 6; at++) {
    letters = alphabet.charAt(rest % 62) + letters
    rest = Math.floor(rest / 62)
  }
  return letters
}

/** Bytes beyond the last multiple of 62 are discarded, so that every letter is equally likely. */
function randomLetters(count: number): string {
  let letters = ''
  while (letters.length < count) {
    for (const byte of crypto.getRandomValues(new Uint8Array(count)))
      if (byte < 248 && letters.length < count) letters += alphabet.charAt(byte % 62)
  }
  return letters
}
