const maxLength = 60

/** Without what mail programs turn into links, such as the dot in `evil.example`, and at most 60 characters. */
export function mailName(name: string): string {
  const plain = name
    .replaceAll(/\w+:\/\//g, ' ')
    .replaceAll(/(?<=\S)[.@\u3002\uFF0E\uFF20\uFF61](?=\S)/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return plain.length <= maxLength ? plain : `${plain.slice(0, maxLength - 1).trimEnd()}…`
}
