import type { Config } from '#config'
import type { Hosts, SharedPaths } from '#lib/http/routes.ts'
import { serviceAddresses } from './contexts.ts'

/** Paths that several services have, and their owner on a shared origin (PLT-05). */
export const sharedPaths: SharedPaths = Object.fromEntries(
  serviceAddresses.flatMap(({ slug, defaultPaths = [] }) => defaultPaths.map((path) => [path, slug])),
)

/** Paths that no service can have: there is no billing, referrals or rewards (PLT-18, SOC-41). */
export const reservedPaths = /^\/(api|workspace)\/(billing|referrals|rewards)(\/|$)/

export function hostsOf(config: Config): Hosts {
  const services = new Map<string, string[]>()
  for (const { slug, host: key } of serviceAddresses)
    for (const host of key ? config[key] : []) services.set(host, [...(services.get(host) ?? []), slug])
  const all = new Set(config.PLATFORM_HOST)
  if (config.PUBLIC_URL) all.add(new URL(config.PUBLIC_URL).hostname)
  return { services, all, closed: config.PUBLIC_URL === undefined }
}
