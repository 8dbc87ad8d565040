import type { Config } from '#config'
import type { RequestFacts } from '#lib/call.ts'
import { publicUrl } from '#lib/public-url.ts'

/** On the host of the request: its cookie identifies the browser. */
export function callbackUrl(id: string, config: Config, request: RequestFacts): string {
  const url = new URL(publicUrl(`/login/sso/${id}/callback`, config, request))
  if (hostsOf(config).includes(request.url.hostname)) url.host = request.url.host
  return url.href
}

const hostsOf = (config: Config): string[] => [
  ...config.PLATFORM_HOST,
  ...config.IDENTITY_HOST,
  ...config.SOCIAL_HOST,
  ...config.GATEWAY_HOST,
  ...config.DASHBOARD_HOST,
  ...config.PAY_HOST,
]
