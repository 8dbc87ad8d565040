import type { Call } from '#lib/call.ts'
import { invalid } from '#lib/errors.ts'
import { OutboundError } from '#lib/outbound.ts'
import { practiceProvider, practiceUrl } from '../providers/known.ts'
import type { CredentialInput } from './input.ts'
import { kindOf } from './kinds.ts'

/** Without a final slash. @throws {Problem} 422 for a URL that this server must not call */
export function checkBaseUrl(
  { outbound, config }: Pick<Call, 'outbound' | 'config'>,
  { provider, baseUrl }: Pick<CredentialInput, 'provider' | 'baseUrl'>,
): string {
  if (provider === practiceProvider && baseUrl === undefined && config.offlineHelps) return practiceUrl(config)
  const { kind, baseUrl: usual } = kindOf(provider)
  const given = baseUrl ?? usual
  if (given === null)
    throw refuse(
      kind === 'smtp'
        ? 'Required: the server, such as smtp://mail.example.com:587.'
        : `Required, since the URL of ${provider} isn’t known here.`,
    )
  const url = new URL(given)
  if (url.search || url.hash) throw refuse('Must not have a query or a fragment.')
  try {
    outbound.check(kind === 'smtp' ? hostOf(url) : url)
  } catch (error) {
    if (error instanceof OutboundError) throw refuse(error.message)
    throw error
  }
  return url.href.replace(/\/+$/, '')
}

/** As a URL whose host can be checked: mail has its own ports. */
function hostOf({ protocol, hostname, username, password, pathname }: URL): URL {
  if (protocol !== 'smtp:' && protocol !== 'smtps:') throw refuse('Must begin with smtp:// or smtps://.')
  if (!hostname) throw refuse('Must name a host, such as smtp://mail.example.com:587.')
  if (username || password) throw refuse('Remove the username and password from the URL.')
  if (pathname !== '' && pathname !== '/') throw refuse('Must end after the port.')
  return new URL(`https://${hostname}`)
}

const refuse = (message: string) => invalid([{ path: 'baseUrl', message }])
