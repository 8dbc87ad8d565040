import type { Config } from '#config'
import type { Hosts } from '#lib/http/hosts.ts'

/** Paths that more than one service has, and whose they are on an origin that they share (PLT-05). */
export const sharedPaths = {
  '/api/widget': 'platform-socialize',
  '/api/service-identity': 'platform-pay',
  '/login': 'platform-dashboard-api',
}

/** Which host is whose in this configuration. */
export function hostsOf(config: Config): Hosts {
  const homes = [
    ['platform-identity', config.IDENTITY_HOST],
    ['platform-socialize', config.SOCIAL_HOST],
    ['platform-gateway', config.GATEWAY_HOST],
    ['platform-dashboard-api', config.DASHBOARD_HOST],
    ['platform-pay', config.PAY_HOST],
  ] as const
  const services = new Map<string, string[]>()
  for (const [slug, hosts] of homes) for (const host of hosts) services.set(host, [...(services.get(host) ?? []), slug])
  const all = new Set(config.PLATFORM_HOST)
  if (config.PUBLIC_URL) all.add(new URL(config.PUBLIC_URL).hostname)
  return { services, all }
}
