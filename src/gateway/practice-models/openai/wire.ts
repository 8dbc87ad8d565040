import { ProviderError } from '../provider-error.ts'
import type { Wire } from '../wire.ts'

export const invalidRequest = (
  message: string,
  { param = null, code = null, status = 400 }: { param?: string | null; code?: string | null; status?: number } = {},
): ProviderError => new ProviderError(status, message, { type: 'invalid_request_error', param, code })

const keyIn = (headers: Headers): string | null =>
  /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null

const requestsPerMinute = 30_000
const tokensPerMinute = 150_000_000

export const openaiWire: Wire = {
  keyIn,
  authenticate: (headers) => {
    const key = keyIn(headers)
    if (key === null)
      throw invalidRequest(
        'You didn’t provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).',
        { status: 401 },
      )
    if (key.startsWith('sk-invalid'))
      throw invalidRequest(`Incorrect API key provided: ${key.slice(0, 7)}***. Use any other key here.`, {
        status: 401,
        code: 'invalid_api_key',
      })
    return key
  },
  formatError: ({ message, facts: { type, param = null, code = null } }) => ({ error: { message, type, param, code } }),
  headers: ({ requestId, processingMs }) => ({
    'x-request-id': requestId,
    'openai-processing-ms': String(Math.round(processingMs)),
    'openai-version': '2020-10-01',
    'openai-organization': 'org-practice',
    'x-ratelimit-limit-requests': String(requestsPerMinute),
    'x-ratelimit-limit-tokens': String(tokensPerMinute),
    'x-ratelimit-remaining-requests': String(requestsPerMinute - 1),
    'x-ratelimit-remaining-tokens': String(tokensPerMinute - 1),
    'x-ratelimit-reset-requests': '2ms',
    'x-ratelimit-reset-tokens': '0s',
  }),
  failure: (status) => {
    const message = failures[status] ?? (status >= 500 ? serverFailure : 'The practice provider is set to refuse this.')
    return new ProviderError(status, message, {
      type: status >= 500 ? 'server_error' : 'invalid_request_error',
      code: status === 401 ? 'invalid_api_key' : status === 429 ? 'insufficient_quota' : null,
    })
  },
  rateLimit: (model, retryAfter) =>
    new ProviderError(
      429,
      `Rate limit reached for ${model ?? 'requests'} in organization org-practice on requests per min (RPM): Limit ${requestsPerMinute}, Used ${requestsPerMinute}, Requested 1. Please try again in ${retryAfter}s.`,
      {
        type: 'requests',
        code: 'rate_limit_exceeded',
        headers: {
          'retry-after': String(retryAfter),
          'retry-after-ms': String(retryAfter * 1000),
          'x-ratelimit-remaining-requests': '0',
          'x-ratelimit-reset-requests': `${retryAfter}s`,
        },
      },
    ),
  unsupportedType: (contentType, expected) =>
    invalidRequest(
      `Unsupported content type: '${contentType}'. This API method only accepts '${expected}' requests, but you specified the header 'Content-Type: ${contentType}'. Please try again with a supported content type.`,
      { code: 'unsupported_content_type' },
    ),
  malformedBody: () =>
    invalidRequest(
      'We could not parse the JSON body of your request. (HINT: This likely means you aren’t using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)',
    ),
  tooLarge: () => invalidRequest('The request is too large.', { status: 413 }),
}

const serverFailure = 'The server had an error while processing your request. Sorry about that!'
const failures: Readonly<Record<number, string>> = {
  503: 'The engine is currently overloaded, please try again later.',
  401: 'Incorrect API key provided.',
  429: 'You exceeded your current quota, please check your plan and billing details.',
}
