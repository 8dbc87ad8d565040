const bytesPerToken = 4
export const tokensPerImage = 85

/** A token is four bytes of UTF-8, rounded up. */
export const countTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesPerToken)

/** The beginning of a text that is at most that many tokens. */
export function truncateToTokens(text: string, tokens: number): string {
  const bytes = Buffer.from(text)
  const most = tokens * bytesPerToken
  if (bytes.length <= most) return text
  let end = most
  // Not within a character: its later bytes begin with 10.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}

const filler =
  'This is a practice reply, of the length that was asked for, so that budgets and limits can be tested offline. '

export function textOfTokens(tokens: number): string {
  const length = tokens * bytesPerToken
  return filler.repeat(Math.ceil(length / filler.length)).slice(0, length)
}

/** Spaces keep JSON valid. */
export const padToTokens = (json: string, tokens: number): string => {
  const missing = tokens * bytesPerToken - Buffer.byteLength(json)
  return missing > 0 ? json + ' '.repeat(missing) : json
}

const maxPieces = 200

/** As a stream sends it: token by token, in at most 200 pieces. */
export function splitIntoPieces(text: string): string[] {
  const characters = [...text]
  const size = Math.max(bytesPerToken, Math.ceil(characters.length / maxPieces))
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, at) =>
    characters.slice(at * size, (at + 1) * size).join(''),
  )
}
