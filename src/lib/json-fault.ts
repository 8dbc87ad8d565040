type Wants = 'value' | 'first item' | 'first key' | 'key' | 'colon' | 'more' | 'end'

const token =
  /\s*(?:([{}[\],:])|("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/uy

/** Where a text stops being JSON, in words with its line; null for JSON. `JSON.parse` itself doesn't say where. */
export function jsonFault(text: string): string | null {
  try {
    JSON.parse(text)
    return null
  } catch {
    const rest = text.slice(faultIn(text)).trimStart()
    const line = text.slice(0, text.length - rest.length).split('\n').length
    const word = /^[\w$]+|^./u.exec(rest)?.[0]
    return word === undefined ? `Unexpected end of JSON in line ${line}.` : `Unexpected ${word} in line ${line}.`
  }
}

/** The index behind the last token that could stand where it stands. */
function faultIn(text: string): number {
  const open: string[] = []
  let wants: Wants = 'value'
  token.lastIndex = 0
  for (let end = 0; ; end = token.lastIndex) {
    token.lastIndex = end
    const [, sign, string] = token.exec(text) ?? []
    if (token.lastIndex === 0) return end
    const next = following(wants, sign ?? (string === undefined ? 'plain' : 'string'), open)
    if (!next) return end
    wants = next
  }
}

/** What may come after a token; undefined where it may not stand. Opens and closes what it is part of. */
function following(wants: Wants, kind: string, open: string[]): Wants | undefined {
  const closes = (wants === 'more' || wants === 'first item' || wants === 'first key') && kind === closing(open)
  if (closes) open.pop()
  if (closes) return after(open)
  if (wants === 'colon') return kind === ':' ? 'value' : undefined
  if (wants === 'key' || wants === 'first key') return kind === 'string' ? 'colon' : undefined
  if (wants === 'more') return kind === ',' ? (open.at(-1) === '{' ? 'key' : 'value') : undefined
  if (wants === 'end') return undefined
  if (kind === 'string' || kind === 'plain') return after(open)
  if (kind !== '{' && kind !== '[') return undefined
  open.push(kind)
  return kind === '{' ? 'first key' : 'first item'
}

const closing = (open: string[]): string => (open.at(-1) === '{' ? '}' : ']')
const after = (open: string[]): Wants => (open.length > 0 ? 'more' : 'end')
