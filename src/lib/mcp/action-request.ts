import type { CallableAction } from '../actions.ts'
import { invalid, notFound } from '../errors.ts'
import { fillPath, pathParameters } from '../route-path.ts'

interface RequestOptions {
  origin: string
  headers: Record<string, string>
  signal?: AbortSignal
  /** The service that is called, of a path that several have. */
  app?: string
}

type Input = Readonly<Record<string, unknown>>

/** @throws {Problem} 422 when a path parameter is missing, 404 when one would change the route */
export function createActionRequest({ method, path }: CallableAction, input: Input, options: RequestOptions): Request {
  const names = pathParameters(path)
  const missing = names.filter((name) => !isScalar(input[name]))
  if (missing.length > 0) throw invalid(missing.map((name) => ({ path: name, message: `${name} is missing.` })))
  const filled = fillPath(path, (name) => String(input[name]))
  const url = new URL(filled, options.origin)
  // A segment such as `..` would lead to another route.
  if (url.pathname !== filled) throw notFound('object')
  if (options.app !== undefined) url.searchParams.set('app', options.app)
  const rest = Object.entries(input).filter(([name]) => !names.includes(name))
  if (method !== 'GET') return requestWithBody(url, method, Object.fromEntries(rest), options)
  for (const [name, value] of rest)
    for (const [key, text] of queryPairsOf(name, value)) url.searchParams.append(key, text)
  return new Request(url, { headers: options.headers, signal: options.signal })
}

const requestWithBody = (url: URL, method: string, body: Input, { headers, signal }: RequestOptions): Request =>
  new Request(url, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  })

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

function queryPairsOf(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item) => queryPairsOf(`${name}[]`, item))
  if (isScalar(value)) return [[name, String(value)]]
  return Object.entries(value ?? {}).flatMap(([key, inner]) => queryPairsOf(`${name}.${key}`, inner))
}
