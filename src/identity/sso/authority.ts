import type { Call } from '#lib/call.ts'
import { issuerOf } from './authorize.ts'

/** Where people are signed in, for a host of another service than identity; undefined where that is here. */
export function findRemoteAuthority(call: Pick<Call, 'hosts' | 'config' | 'request'>) {
  const [service] = call.hosts.services.get(call.request.url.hostname) ?? []
  const origin = issuerOf(call)
  const { host } = new URL(origin)
  return service === undefined || host === call.request.url.host ? undefined : { service, origin, host }
}
