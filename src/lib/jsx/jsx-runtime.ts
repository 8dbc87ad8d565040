import * as kita from '@kitajs/html/jsx-runtime'
import type {} from './attributes.ts'
import { currentNonce } from './nonce.ts'

type Name = Parameters<typeof kita.jsx>[0]

export const jsx: typeof kita.jsx = (name, attributes) => kita.jsx(name, prepareAttributes(name, attributes))
export const jsxs: typeof kita.jsxs = (name, attributes) => kita.jsxs(name, prepareAttributes(name, attributes))
export { Fragment } from '@kitajs/html/jsx-runtime'

/**
 * Renders an element's attributes. kitajs only escapes their quotes: an `&amp;` that a person typed
 * would come back from a form as `&`. And htmx obeys only elements that carry the page's nonce, which
 * injected markup can't know.
 */
function prepareAttributes<Attributes extends Record<string, unknown>>(name: Name, attributes: Attributes): Attributes {
  if (typeof name !== 'string') return attributes
  const changed: Record<string, unknown> = {}
  for (const key in attributes) {
    const value: unknown = attributes[key]
    if (typeof value === 'string' && value.includes('&') && key !== 'children') {
      changed[key] = value.replaceAll('&', '&amp;')
    }
    if (key.startsWith('hx-')) changed['hx-nonce'] = currentNonce()
  }
  return { ...attributes, ...changed }
}
