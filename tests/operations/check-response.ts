import { expect } from 'bun:test'
import { z } from 'zod'

/** A checked response. */
export interface CheckedResponse {
  status: number
  headers: Headers
  text: string
  /** Its JSON; null for HTML and for an empty body. */
  json: Record<string, unknown> | null
}

const Document = z.strictObject({
  type: z.string().startsWith('urn:atrium:problem:'),
  title: z.string().min(1),
  status: z.int(),
  detail: z.string().min(1),
  code: z.string().regex(/^[a-z]+(_[a-z]+)*$/),
  requestId: z.guid(),
  errors: z.array(z.strictObject({ path: z.string(), message: z.string().min(1) })).optional(),
})

/** Of a refusal by a budget, which OpenAI's clients read too. */
const ofLimit = {
  scope: z.object({ scope_type: z.string(), scope_value: z.string() }),
  limitId: z.guid(),
  error: z.object({}),
}

/** Members that a problem with this code has besides the standard ones. */
const Members: Record<string, z.ZodRawShape> = {
  slug_taken: { available: z.string().optional() },
  permission_missing: { permission: z.string() },
  entitlement_exceeded: { mode: z.string().optional(), used: z.int(), allowed: z.int(), wouldAllow: z.object({}) },
  invalid_transition: { allowed: z.array(z.string()) },
  provider_not_connectable: { provider: z.string() },
  app_missing: { provider: z.string() },
  media_in_use: { posts: z.array(z.object({ id: z.guid(), status: z.string() })) },
  last_owner: { organizations: z.array(z.object({ id: z.guid(), name: z.string() })).optional() },
  account_deletion_pending: { deletesAt: z.iso.datetime(), cancellation: z.string().optional() },
  workspace_suspended: { deletesAt: z.iso.datetime().optional() },
  context_required: { choices: z.array(z.object({ context: z.string(), name: z.string() })) },
  invalid_client: { error: z.literal('invalid_client') },
  budget_exceeded: {
    ...ofLimit,
    limitNanoUsd: z.int(),
    spentNanoUsd: z.int(),
    reservedNanoUsd: z.int(),
    neededNanoUsd: z.int(),
    resetsAt: z.iso.datetime().nullable(),
    cheaperModel: z.string().nullable(),
  },
  model_unpriced: {
    ...ofLimit,
    provider: z.string(),
    model: z.string().nullable(),
    level: z.enum(['platform', 'organization']),
  },
  already_subscribed: { subscriptionId: z.guid() },
  order_state: { state: z.string(), allowed: z.array(z.string()) },
  refund_state: { state: z.string() },
  dispute_state: { state: z.string() },
  invoice_state: { state: z.string(), number: z.string().nullable() },
  order_invoiced: { orderId: z.string() },
  batch_state: { state: z.string() },
  item_state: { state: z.string() },
  difference_state: { state: z.string() },
  subscription_state: { subscriptionStatus: z.string() },
  refund_exceeds_captured: { refundable: z.int() },
  payment_state: { state: z.string() },
  provider_refused: { reason: z.string().nullable().optional() },
  version_conflict: { yours: z.object({}), current: z.object({}) },
}

/** OAuth token endpoints have their own error format (RFC 6749, 5.2). */
const OAuthRefusal = z.strictObject({ error: z.string().regex(/^[a-z_]+$/), error_description: z.string().min(1) })

/** Signs of a stack trace, the driver or a query in a response. */
const internals = /\bat \S+ \(|\.tsx?:\d+|node_modules|PostgresError|Failed query|\bselect "/i

/** How a request was sent. */
interface Expected {
  /** Whether it was sent like a browser's. */
  html: boolean
  /** The media type that the operation declares as `streams` for 2xx responses. */
  streams?: string
}

/** Rules for every response, to any request (PLT-07, PLT-10, PLT-11). Only the beginning of a stream is read. */
export async function checkResponse(
  response: Response,
  requested: string,
  { html, streams }: Expected,
): Promise<CheckedResponse> {
  const { status, headers } = response
  const problem = status >= 400
  const isStream = !problem && isOfType(headers.get('content-type') ?? '', streams)
  const text = isStream ? await beginningOf(response) : await response.text()
  expect(status, `${requested}: ${text}`).toBeLessThan(500)
  checkHeaders(headers, requested)
  if (text === '') {
    expect(problem, requested).toBe(false)
    return { status, headers, text, json: null }
  }
  const type = headers.get('content-type') ?? ''
  if (type.startsWith('text/html')) {
    expect(html, `HTML was not asked for: ${requested}`).toBe(true)
    checkMarkup(text, headers, requested)
    return { status, headers, text, json: null }
  }
  if (isStream) return { status, headers, text, json: null }
  if (status === 400 && type === 'application/json')
    return { status, headers, text, json: OAuthRefusal.parse(JSON.parse(text)) }
  expect(type, requested).toBe(problem ? 'application/problem+json' : 'application/json')
  expect(html && problem, `a person got JSON: ${requested}`).toBe(false)
  const json = JSON.parse(text)
  if (problem) checkProblem(json, response, requested)
  if (!requested.includes(' /.well-known/') && !hasForeignNames(requested)) expect(oddKeys(json), requested).toEqual([])
  return { status, headers, text, json }
}

/** Whether a media type is the declared one, of its kind (`video/*`), or any one where each is declared. */
const isOfType = (type: string, declared = ''): boolean =>
  declared === '*/*' ||
  (declared.endsWith('/*') ? type.startsWith(declared.slice(0, -1)) : type.split(';')[0] === declared)

/** Bytes of a stream to read, and for how many milliseconds: an endless stream must not block later tests. */
const limits = { bytes: 256 * 1024, ms: 500 }

async function beginningOf({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  const stop = setTimeout(() => void reader?.cancel(), limits.ms)
  try {
    while (text.length < limits.bytes) {
      const { done, value } = (await reader?.read()) ?? { done: true }
      if (done) break
      text += decoder.decode(value, { stream: true })
    }
    return text
  } finally {
    clearTimeout(stop)
    // Its producer can be waiting forever.
    void reader?.cancel()
  }
}

function checkHeaders(headers: Headers, requested: string): void {
  expect(z.guid().safeParse(headers.get('x-request-id')).success, requested).toBe(true)
  expect(headers.get('x-content-type-options'), requested).toBe('nosniff')
  expect(['strict-origin-when-cross-origin', 'no-referrer'], requested).toContain(headers.get('referrer-policy') ?? '')
  const vary = headers.get('vary')?.split(/, */)
  expect(vary, requested).toEqual(expect.arrayContaining(['Accept', 'HX-Request', 'Origin']))
}

/** Also bodies that the practice models have received, and objects of the practice payments. */
const hasForeignNames = (requested: string): boolean =>
  isForeign(requested) ||
  / \/dev\/(?:models|payments)\//.test(requested) ||
  // Counts by the names of statuses, and ceilings by currency.
  / \/api\/(?:orders|invoices|refunds|settlements|customers)\/counts/.test(requested) ||
  requested.includes(' /api/pay/settings') ||
  // As Meta defines them.
  requested.includes(' /callbacks/instagram/') ||
  // As the AT Protocol defines them.
  requested.includes(' /oauth/client-metadata.json')

/** AI routes speak the APIs of OpenAI and Anthropic, whose clients read these members. */
const isForeign = (requested: string): boolean => / \/api\/ai\//.test(requested)
const foreignMembers = {
  type: z.string(),
  error: z.looseObject({ type: z.string(), message: z.string() }).optional(),
  request_id: z.string().optional(),
}

function checkProblem(json: { code?: string }, { status, headers }: Response, requested: string): void {
  const members = { ...Members[json.code ?? ''], ...(isForeign(requested) && foreignMembers) }
  const document = Document.extend(members).safeParse(json)
  expect(document.error?.issues, `${requested}: ${JSON.stringify(json)}`).toBeUndefined()
  expect(document.data, requested).toMatchObject({ status, requestId: headers.get('x-request-id') })
  if (status === 422) expect(document.data?.['errors'], requested).not.toBeEmpty()
  expect(JSON.stringify(json), requested).not.toMatch(internals)
}

/** HTML has a policy with a nonce that all its scripts and styles have, and no inline code (PLT-21). */
function checkMarkup(text: string, headers: Headers, requested: string): void {
  const policy = headers.get('content-security-policy') ?? ''
  const nonce = /script-src 'self' 'nonce-([\w+/=]{20,})'/.exec(policy)?.[1]
  expect(nonce, `${requested}: ${policy}`).toBeString()
  const scriptsAndStyles = policy.split('; ').filter((rule) => /^(script|style)-src /.test(rule))
  expect(scriptsAndStyles.join(), requested).not.toContain('unsafe-')
  expect(looseCode(text, nonce ?? ''), requested).toEqual([])
  expect(text, requested).not.toMatch(internals)
}

/** Scripts and styles without the nonce, event handler attributes, `javascript:` links. */
function looseCode(text: string, nonce: string): string[] {
  const found: string[] = []
  const isLink = (name: string) => /^(href|src|action|formaction|hx-(get|post|put|delete))$/.test(name)
  const isCode = ([name = '', value = '']: string[]) =>
    name.startsWith('on') || (isLink(name) && /^\W*javascript:/i.test(value))
  const rewriter = new HTMLRewriter().on('script, style', {
    element: (element) => void (element.getAttribute('nonce') === nonce || found.push(element.tagName)),
  })
  // Most responses contain nothing like code: then the attributes are not checked.
  if (/\son\w+=|javascript:/i.test(text))
    rewriter.on('*', { element: ({ attributes }) => void found.push(...[...attributes].filter(isCode).map(String)) })
  rewriter.transform(text)
  return found
}

/** Literal names of the specification, and those of RFC 6749, which OAuth clients read (PLT-11). */
const literal = [
  'surface_kind',
  'surface_group',
  'household_capable',
  'access_token',
  'token_type',
  'expires_in',
  'scope_type',
  'scope_value',
]

/** Names in a response that are neither camelCase nor literal (PLT-11). */
function oddKeys(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(oddKeys)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    // Amounts can be by currency.
    ...(/^([a-z][a-zA-Z0-9]*|[A-Z]{3})$/.test(key) || literal.includes(key) ? [] : [key]),
    ...oddKeys(inner),
  ])
}
