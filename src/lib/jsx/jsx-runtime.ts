import * as kita from '@kitajs/html/jsx-runtime'
import type {} from './attributes.ts'
import { currentNonce } from './nonce.ts'

// htmx obeys an element's hx- attributes only where the server has stamped it with the page's nonce:
// injected markup can't know it.

type Name = Parameters<typeof kita.jsx>[0]

function stamped<Attributes extends object>(name: Name, attributes: Attributes): Attributes {
  if (typeof name !== 'string') return attributes
  for (const key in attributes) {
    if (key.startsWith('hx-')) return { ...attributes, 'hx-nonce': currentNonce() }
  }
  return attributes
}

export const jsx: typeof kita.jsx = (name, attributes) => kita.jsx(name, stamped(name, attributes))
export const jsxs: typeof kita.jsxs = (name, attributes) => kita.jsxs(name, stamped(name, attributes))
export { Fragment } from '@kitajs/html/jsx-runtime'
