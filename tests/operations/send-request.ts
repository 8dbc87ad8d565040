import type { Caller, World } from '../support/world.ts'
import { checkResponse, type CheckedResponse } from './check-response.ts'
import { paramsOf, shadowed, type Declared } from './every.ts'
import type { Input } from './samples.ts'

interface SentRequest {
  route: string
  body?: unknown
  /** The media type that the operation streams. */
  streams?: string
}

type RequestSpec = Pick<Declared, 'method' | 'path' | 'body' | 'streams'> & Partial<Pick<Declared, 'name' | 'service'>>

/** An input as a client sends it: path parameters, the rest as query or JSON body. A body of bytes is empty. */
export function requestFor(
  { name: own = '', service = '', method, path, body, streams }: RequestSpec,
  input: Input,
): SentRequest {
  const params = paramsOf(path)
  const filled = params.reduce((text, name) => text.replace(`:${name}`, String(input[name])), path)
  const rest = Object.entries(input).filter(([name]) => !params.includes(name))
  const isRaw = body?.as === 'bytes' || body?.as === 'stream'
  if (body?.describedAs) return { route: `${method} ${filled}`, body: Object.fromEntries(rest), streams }
  if (method !== 'GET' && !isRaw) return { route: `${method} ${filled}`, body: Object.fromEntries(rest), streams }
  const query = new URLSearchParams(rest.flatMap(([name, value]) => pairs(name, value)))
  // Another service answers without it.
  if (shadowed.has(own)) query.set('app', service)
  const route = `${method} ${filled}${query.size > 0 ? `?${query}` : ''}`
  return isRaw ? { route, body: new Blob([], { type: body?.type }), streams } : { route, streams }
}

/** A value as a form encodes it: lists repeat the name, objects nest. */
function pairs(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item) => pairs(name, item))
  if (typeof value !== 'object' || value === null) return [[name, String(value)]]
  return Object.entries(value).flatMap(([key, inner]) => pairs(`${name}.${key}`, inner))
}

/** The parts of an operation or page that decide on access. */
type AccessRules = Pick<Declared, 'permission' | 'callers' | 'signed'> & { name?: string; service?: string }

/** For services of the platform, for every organization. */
export const isForServices = ({ permission }: Pick<Declared, 'permission'>): boolean =>
  permission === 'service' || permission === 'organizations:provision' || permission === 'service:invoke'

/** A caller with access to the operation. */
export function allowedCaller(operation: AccessRules, world: World): Caller {
  const { permission, callers, signed } = operation
  if (signed) return world.console
  // Codes are mailed to people without a password.
  if (operation.name === 'mailProofCode') return world.nora
  // No organization would lose its last owner.
  if (operation.name === 'deleteAccount') return world.vera
  if (permission === 'service') {
    const services = servicesFor(operation, world)
    return services[callers?.[0] ?? ''] ?? services['platform-socialize'] ?? Object.values(services)[0] ?? world.service
  }
  if (permission === 'organizations:provision' || permission === 'service:invoke') return world.gatewayClient
  return permission === 'super-admin' ? world.root : world.ada
}

/** Callers with tokens for the service of the operation, by slug. */
export const servicesFor = ({ service }: Pick<AccessRules, 'service'>, world: World): World['services'] =>
  service === 'platform-gateway'
    ? world.gatewayServices
    : service === 'platform-pay'
      ? world.payServices
      : service === 'platform-dashboard-api'
        ? world.dashboardServices
        : service === 'platform-dashboard-website'
          ? world.websiteServices
          : service === 'platform-socialize'
            ? world.socialServices
            : world.services

/** Sends a request and checks the rules for every response. */
export async function sendChecked(
  caller: Caller,
  { route, body, streams }: SentRequest,
  headers: Record<string, string> = {},
): Promise<CheckedResponse> {
  const response = await caller.fetch(route, body, headers)
  return checkResponse(response, `${route} ${JSON.stringify(headers)}`, { html: isHtml(headers), streams })
}

const isHtml = (headers: Record<string, string>): boolean =>
  'hx-request' in headers || (headers['accept']?.includes('text/html') ?? false)

/** How a browser sends requests: by navigation, or with htmx from a page. */
export const navigation = { accept: 'text/html,application/xhtml+xml', 'sec-fetch-site': 'same-origin' }
export const fromPage = {
  'hx-request': 'true',
  'sec-fetch-site': 'same-origin',
  'hx-current-url': 'http://localhost/workspace/posts?status=draft',
}

/** The name of a permission on the page that refuses people without it. */
export const inWords = (permission: string): string =>
  permission === 'super-admin' ? 'super admins' : permission.replace(/^role:(.+)$/, 'the $1 role')
