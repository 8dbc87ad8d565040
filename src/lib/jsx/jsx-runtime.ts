import * as kita from '@kitajs/html/jsx-runtime'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { TimeFormats } from '../time.ts'
import type {} from './attributes.ts'

export { Fragment } from '@kitajs/html/jsx-runtime'

type Name = Parameters<typeof kita.jsx>[0]

export const jsx: typeof kita.jsx = (name, attributes) => kita.jsx(name, prepareAttributes(name, attributes))
export const jsxs: typeof kita.jsxs = (name, attributes) => kita.jsxs(name, prepareAttributes(name, attributes))

/**
 * kitajs only escapes quotes: an `&amp;` in user input would come back from a form as `&`. htmx ignores elements
 * without the nonce, so injected markup has no effect.
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

interface Rendering {
  nonce: string
  formats: TimeFormats
}

const rendering = new AsyncLocalStorage<Rendering>()

const defaultFormats: TimeFormats = { zone: 'UTC', language: 'en-GB', hourCycle: 'h23' }

/** Renders with the nonce of a response, and the formats of times of the person who reads it. */
export const withNonce = <T>(nonce: string, render: () => T, formats = defaultFormats): T =>
  rendering.run({ nonce, formats }, render)

/** Renders a part with other formats of times. */
export const withFormats = <T>(formats: TimeFormats, render: () => T): T =>
  rendering.run({ nonce: currentNonce() ?? '', formats }, render)

export const currentNonce = (): string | undefined => rendering.getStore()?.nonce

export const currentFormats = (): TimeFormats => rendering.getStore()?.formats ?? defaultFormats
