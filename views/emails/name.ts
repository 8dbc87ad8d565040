/** Characters of a name in a mail. */
const maxLength = 60

/**
 * A name that a person chose, for a mail in our name: without what mail programs turn into a link or an address, such as
 * the dot in `evil.example`, and not longer than 60 characters.
 */
export function mailName(name: string): string {
  const plain = name
    .replaceAll(/\w+:\/\//g, ' ')
    .replaceAll(/(?<=\S)[.@\u3002\uFF0E\uFF20\uFF61](?=\S)/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return plain.length <= maxLength ? plain : `${plain.slice(0, maxLength - 1).trimEnd()}…`
}
