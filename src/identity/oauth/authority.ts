import type { Call } from '#lib/call.ts'
import { issuerOf } from './authorize.ts'

/** Where people sign in, for another service’s host; undefined if that is the requested host. */
export function findRemoteAuthority(call: Pick<Call, 'hosts' | 'config' | 'request'>) {
  const [service] = call.hosts.services.get(call.request.url.hostname) ?? []
  const origin = issuerOf(call)
  const { host } = new URL(origin)
  return service === undefined || host === call.request.url.host ? undefined : { service, origin, host }
}
