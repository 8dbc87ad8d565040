import { parse, type ParseError } from 'jsonc-parser'

/** Characters of a text that are searched for its first fault; more takes too long, and deep nesting too many frames. */
const maxSearched = 100_000
const maxWord = 40

export function jsonFault(text: string): string | null {
  try {
    JSON.parse(text)
    return null
  } catch {
    const at = findFault(text)
    if (at === null) return 'Must be valid JSON.'
    const line = text.slice(0, at).split('\n').length
    const unexpected = /^[\w$]+|^\S/u.exec(text.slice(at, at + maxWord))?.[0]
    return unexpected ? `Unexpected ${unexpected} on line ${line}.` : `Unexpected end of JSON on line ${line}.`
  }
}

function findFault(text: string): number | null {
  if (text.length > maxSearched) return null
  const errors: ParseError[] = []
  try {
    parse(text, errors, { disallowComments: true })
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
  return errors[0]?.offset ?? 0
}
