const reserved = new Set('|{}@[]()<>#*_~')

/**
 * What readers see of a text in LinkedIn's little format: escapes, mentions and hashtag templates resolved. LinkedIn cuts
 * the text off at a reserved character that is not escaped, without an error.
 */
export function readLittleText(text: string): string {
  let read = ''
  let rest = text
  while (rest) {
    const [first = ''] = rest
    const template = /^\{hashtag\|\\?#\|([^|{}]+)\}/.exec(rest) ?? /^@\[([^\]]+)\]\(urn:li:\w+:[\w-]+\)/.exec(rest)
    if (template) {
      read += first === '{' ? `#${template[1]}` : (template[1] ?? '')
      rest = rest.slice(template[0].length)
    } else if (first === '\\') {
      read += rest[1] ?? ''
      rest = rest.slice(2)
    } else if (reserved.has(first)) return read.trimEnd()
    else {
      read += first
      rest = rest.slice(first.length)
    }
  }
  return read
}
