import { invalidRequest } from './error.ts'

/** Parameters as they were sent: text, or text in brackets. */
export interface Fields {
  [name: string]: string | Fields
}

const maxDepth = 8
const maxFields = 2000
const wholeName = /^([^[\]]+)((?:\[[^[\]]*\])*)$/

/** `a[b][0]=c` nests, and `a[]=c` appends. @throws {StripeError} */
export function parseForm(text: string): Fields {
  const root = emptyFields()
  let left = maxFields
  for (const [name, value] of new URLSearchParams(text)) {
    const [, first = '', rest = ''] = wholeName.exec(name) ?? []
    const path = [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, part = '']) => part)]
    if (!first || path.length > maxDepth || left-- === 0) throw invalidRequest(`Invalid parameter name: ${name}`)
    setField(root, path, value, name)
  }
  return root
}

const emptyFields = (): Fields => Object.create(null)

function setField(root: Fields, path: readonly string[], value: string, name: string): void {
  let into = root
  path.forEach((part, at) => {
    const key = part === '' ? String(Object.keys(into).length) : part
    if (at === path.length - 1) {
      if (typeof into[key] === 'object') throw invalidRequest(`Invalid hash: ${name}`, name)
      into[key] = value
      return
    }
    const inner = into[key] ?? emptyFields()
    if (typeof inner === 'string') throw invalidRequest(`Invalid hash: ${name}`, name)
    into[key] = inner
    into = inner
  })
}

/** The same for the same parameters, in any order. */
export const canonicalText = (fields: Fields): string =>
  JSON.stringify(
    Object.keys(fields)
      .toSorted()
      .map((name) => {
        const value = fields[name] ?? ''
        return [name, typeof value === 'string' ? value : canonicalText(value)]
      }),
  )
