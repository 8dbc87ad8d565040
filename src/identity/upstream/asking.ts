import { z } from 'zod'
import { OutboundError, type OutboundInit } from '#lib/outbound.ts'
import { UpstreamFailure, type Outside } from './provider.ts'

/** Milliseconds that one answer of a provider may take. */
const patience = 5_000
/** Bytes of the longest answer that is read: key sets are the longest. */
const longest = 256 * 1024

/** What a provider answers at an address, held to a schema. Throws an UpstreamFailure for anything else. */
export async function askProvider<Answer>(
  { outbound }: Outside,
  schema: z.ZodType<Answer>,
  url: string,
  init: OutboundInit = {},
): Promise<Answer> {
  const headers = { accept: 'application/json', ...init.headers }
  const response = await outbound
    .fetch(url, { ...init, headers, timeoutMs: patience, maxBytes: longest, maxRedirects: 0 })
    .catch((error: unknown) => {
      throw error instanceof OutboundError ? new UpstreamFailure('failed', error.message, error) : error
    })
  const where = new URL(url).host
  if (!response.ok) throw new UpstreamFailure('failed', `${where} answered ${response.status}.`)
  const answer = schema.safeParse(await response.json().catch(() => null))
  if (!answer.success) throw new UpstreamFailure('failed', `${where} answered what can't be read.`, answer.error)
  return answer.data
}
