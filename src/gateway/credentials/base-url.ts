import type { Call } from '#lib/call.ts'
import { invalid } from '#lib/errors.ts'
import { OutboundError } from '#lib/outbound.ts'
import { baseUrlOf, practiceProvider, practiceUrl } from '../providers/known.ts'
import type { CredentialInput } from './input.ts'

/** Without a final slash. @throws {Problem} 422 for a URL that this server must not call */
export function checkBaseUrl(
  { outbound, config }: Pick<Call, 'outbound' | 'config'>,
  { provider, baseUrl }: CredentialInput,
): string {
  if (provider === practiceProvider && baseUrl === undefined && config.offlineHelps) return practiceUrl(config)
  const given = baseUrl ?? baseUrlOf(provider)
  if (given === undefined) throw refuse(`Required, since the URL of ${provider} isn’t known here.`)
  const url = new URL(given)
  if (url.search || url.hash) throw refuse('Must not have a query or a fragment.')
  try {
    outbound.check(url)
  } catch (error) {
    if (error instanceof OutboundError) throw refuse(error.message)
    throw error
  }
  return url.href.replace(/\/+$/, '')
}

const refuse = (message: string) => invalid([{ path: 'baseUrl', message }])
