import { z } from 'zod'
import { OutboundError, type OutboundInit } from '#lib/outbound.ts'
import { ProviderFailure, type ProviderContext } from './provider.ts'

const timeoutMs = 5_000
/** Key sets are the largest responses. */
const maxBytes = 256 * 1024

/** RFC 6749, 5.2: a provider’s error response, such as for a wrong client secret. */
const ErrorResponse = z.object({ error: z.string(), error_description: z.string().optional() })

const errorIn = (body: unknown): string => {
  const { data } = ErrorResponse.safeParse(body)
  return data ? ` ${[data.error, data.error_description].filter(Boolean).join(': ')}` : ''
}

/** @throws ProviderFailure for any other response */
export async function fetchFromProvider<Answer>(
  { outbound }: ProviderContext,
  schema: z.ZodType<Answer>,
  url: string,
  init: OutboundInit = {},
): Promise<Answer> {
  const headers = { accept: 'application/json', ...init.headers }
  const response = await outbound
    .fetch(url, { ...init, headers, timeoutMs, maxBytes, maxRedirects: 0 })
    .catch((error: unknown) => {
      throw error instanceof OutboundError ? new ProviderFailure('failed', error.message, error) : error
    })
  const where = new URL(url).host
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok) throw new ProviderFailure('failed', `${where} responded with ${response.status}${errorIn(body)}.`)
  const answer = schema.safeParse(body)
  if (!answer.success) throw new ProviderFailure('failed', `${where} returned an invalid response.`, answer.error)
  return answer.data
}
