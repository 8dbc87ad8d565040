import { ProviderError } from '../provider-error.ts'
import type { Wire } from '../wire.ts'

const types: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

export const refusal = (status: number, message: string, headers?: Record<string, string>): ProviderError =>
  new ProviderError(status, message, {
    type: types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error'),
    headers,
  })

export const invalidRequest = (message: string): ProviderError => refusal(400, message)

const limits = { requests: 30_000, 'input-tokens': 100_000_000, 'output-tokens': 50_000_000, tokens: 150_000_000 }
/** The last one is that of the official client since 1.0; it has no sampling parameters. */
const versions = ['2023-06-01', '2026-10-21']
export const hasSampling = (headers: Headers): boolean => headers.get('anthropic-version') === '2023-06-01'

/** The official client sends its key as a bearer since 1.0. */
const keyIn = (headers: Headers): string | null =>
  headers.get('x-api-key') || (/^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null)

export const anthropicWire: Wire = {
  keyIn,
  authenticate: (headers) => {
    const key = keyIn(headers)
    if (key === null) throw refusal(401, 'x-api-key header is required')
    if (/^sk-(ant-)?invalid/.test(key)) throw refusal(401, 'invalid x-api-key')
    const version = headers.get('anthropic-version')
    if (version === null) throw invalidRequest('anthropic-version: header is required')
    if (!versions.includes(version))
      throw invalidRequest(`anthropic-version: "${version}" is not a valid version. Use one of ${versions.join(', ')}.`)
    return key
  },
  formatError: ({ message, facts: { type } }, requestId) => ({
    type: 'error',
    error: { type, message },
    request_id: requestId,
  }),
  headers: ({ requestId }) => ({
    'request-id': requestId,
    'anthropic-organization-id': '00000000-0000-4000-8000-000000000000',
    ...Object.fromEntries(
      Object.entries(limits).flatMap(([name, limit]) => [
        [`anthropic-ratelimit-${name}-limit`, String(limit)],
        [`anthropic-ratelimit-${name}-remaining`, String(limit - 1)],
        [`anthropic-ratelimit-${name}-reset`, '2026-01-01T00:00:00Z'],
      ]),
    ),
  }),
  failure: (status) => refusal(status, failures[status] ?? 'The practice provider is set to fail.'),
  rateLimit: (_, retryAfter) =>
    refusal(429, 'This request would exceed your organization’s rate limit. Please try again later.', {
      'retry-after': String(retryAfter),
      'anthropic-ratelimit-requests-remaining': '0',
    }),
  unsupportedType: (contentType) =>
    invalidRequest(`content-type: "${contentType}" is not supported. Send "application/json".`),
  malformedBody: () => invalidRequest('The request body is not valid JSON.'),
  tooLarge: () => refusal(413, 'Request exceeds the maximum size'),
}

const failures: Readonly<Record<number, string>> = {
  401: 'invalid x-api-key',
  403: 'Your API key does not have permission to use the specified resource.',
  500: 'Internal server error',
  529: 'Overloaded',
}
