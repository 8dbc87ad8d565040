import { z } from 'zod'
import { OutboundError, type OutboundInit } from '#lib/outbound.ts'
import { UpstreamFailure, type ProviderContext } from './provider.ts'

/** Milliseconds that one answer of a provider may take. */
const timeoutMs = 5_000
/** Bytes of the longest answer that is read: key sets are the longest. */
const maxBytes = 256 * 1024

/** RFC 6749, 5.2: what a provider says of a request that it refuses, such as a wrong client secret. */
const ErrorResponse = z.object({ error: z.string(), error_description: z.string().optional() })

const errorIn = (body: unknown): string => {
  const { data } = ErrorResponse.safeParse(body)
  return data ? ` ${[data.error, data.error_description].filter(Boolean).join(': ')}` : ''
}

/** What a provider answers at an address, held to a schema. Throws an UpstreamFailure for anything else. */
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
      throw error instanceof OutboundError ? new UpstreamFailure('failed', error.message, error) : error
    })
  const where = new URL(url).host
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok) throw new UpstreamFailure('failed', `${where} answered ${response.status}${errorIn(body)}.`)
  const answer = schema.safeParse(body)
  if (!answer.success) throw new UpstreamFailure('failed', `${where} answered what can't be read.`, answer.error)
  return answer.data
}
