/** Parts of iCalendar files (RFC 5545). */

/** In UTC, so that no rules of time zones are needed. */
export const icalTime = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

/** Control characters other than tabs have no place in a text. */
export const icalText = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n?|\n/g, String.raw`\n`)
    .replaceAll(/[^\P{Cc}\t]/gu, '')

export const icalFile = (lines: readonly string[]): string =>
  lines
    .flatMap(fold)
    .map((line) => `${line}\r\n`)
    .join('')

const utf8Bytes = (codePoint: number): number =>
  codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4

/** Lines of at most 75 bytes, without splitting a character. */
function fold(line: string): string[] {
  const lines: string[] = []
  let current = ''
  let bytes = 0
  for (const character of line) {
    const size = utf8Bytes(character.codePointAt(0) ?? 0)
    if (bytes + size > 75) {
      lines.push(current)
      current = ' '
      bytes = 1
    }
    current += character
    bytes += size
  }
  return [...lines, current]
}
