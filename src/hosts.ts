import type { Config } from '#config'
import type { Hosts } from '#lib/http/hosts.ts'

/** Paths that more than one service has, and whose they are on an origin that they share (PLT-05). */
export const sharedPaths = {
  '/api/widget': 'platform-socialize',
  '/api/service-identity': 'platform-pay',
  '/login': 'platform-dashboard-api',
}

/** The key of the configuration that has each service's hosts. */
export const hostKeys = {
  'platform-identity': 'IDENTITY_HOST',
  'platform-socialize': 'SOCIAL_HOST',
  'platform-gateway': 'GATEWAY_HOST',
  'platform-dashboard-api': 'DASHBOARD_HOST',
  'platform-pay': 'PAY_HOST',
} as const

/** Which host is whose in this configuration. */
export function hostsOf(config: Config): Hosts {
  const services = new Map<string, string[]>()
  for (const [slug, key] of Object.entries(hostKeys))
    for (const host of config[key]) services.set(host, [...(services.get(host) ?? []), slug])
  const all = new Set(config.PLATFORM_HOST)
  if (config.PUBLIC_URL) all.add(new URL(config.PUBLIC_URL).hostname)
  return { services, all, closed: config.PUBLIC_URL === undefined }
}
