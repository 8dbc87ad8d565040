import type { CallableAction } from '../actions.ts'
import { invalid, notFound } from '../errors.ts'

interface Wish {
  origin: string
  headers: Record<string, string>
  /** Aborts when the caller goes away. */
  signal?: AbortSignal
}

type Input = Readonly<Record<string, unknown>>

/**
 * The request that calls an action with its input, path, query and body being one object. Throws 422 when a parameter of
 * the path is missing, 404 for one that leads elsewhere.
 */
export function actionRequest({ method, path }: CallableAction, input: Input, wish: Wish): Request {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const missing = names.filter((name) => !isScalar(input[name]))
  if (missing.length > 0) throw invalid(missing.map((name) => ({ path: name, message: `${name} is missing.` })))
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name])))
  const url = new URL(filled, wish.origin)
  // A segment such as `..` would lead to another route.
  if (url.pathname !== filled) throw notFound('object')
  const rest = Object.entries(input).filter(([name]) => !names.includes(name))
  if (method !== 'GET') return withBody(url, method, Object.fromEntries(rest), wish)
  for (const [name, value] of rest) for (const [key, text] of pairs(name, value)) url.searchParams.append(key, text)
  return new Request(url, { headers: wish.headers, signal: wish.signal })
}

const withBody = (url: URL, method: string, body: Input, { headers, signal }: Wish): Request =>
  new Request(url, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  })

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

/** A value as a query writes it: a list names itself as one, an object nests; what is null is left out. */
function pairs(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item) => pairs(`${name}[]`, item))
  if (isScalar(value)) return [[name, String(value)]]
  return Object.entries(value ?? {}).flatMap(([key, inner]) => pairs(`${name}.${key}`, inner))
}
