import type { Provided } from '../call.ts'
import { OutboundError } from '../outbound.ts'

/** Why requests can't be sent there, as a message of the field; null when they can. */
export function urlProblem(
  { outbound, config }: Pick<Provided, 'outbound' | 'config'>,
  url: URL | null,
): string | null {
  if (!url) return 'Must be a full URL, such as https://example.com/webhooks.'
  if (url.protocol !== 'https:' && !config.ALLOW_PRIVATE_NETWORK) return 'Must start with https://.'
  try {
    outbound.check(url)
  } catch (error) {
    if (error instanceof OutboundError) return error.message
    throw error
  }
  return null
}
