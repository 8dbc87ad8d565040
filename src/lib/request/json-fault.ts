import { parse, type ParseError } from 'jsonc-parser'

/** Describes the first syntax error of a text with its line; null for valid JSON. `JSON.parse` itself gives no line. */
export function jsonFault(text: string): string | null {
  try {
    JSON.parse(text)
    return null
  } catch {
    const errors: ParseError[] = []
    parse(text, errors, { disallowComments: true })
    const at = errors[0]?.offset ?? 0
    const line = text.slice(0, at).split('\n').length
    const unexpected = /^[\w$]+|^\S/u.exec(text.slice(at))?.[0]
    return unexpected ? `Unexpected ${unexpected} on line ${line}.` : `Unexpected end of JSON on line ${line}.`
  }
}
