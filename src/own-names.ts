import { everyService, type Config } from '#config'
import { chosenContexts, serviceAddresses } from './contexts.ts'

const systemPaths = ['/assets', '/healthz', '/readyz', '/metrics', '/mcp']

/** First path segments, host labels and services, regardless of what runs in this process (IDN-43). */
export function ownNamesOf(config: Config): ReadonlySet<string> {
  const whole = chosenContexts({ ...config, SERVICES: [...everyService] })
  const paths = whole.flatMap(({ operations, pages, webhooks, sockets = [] }) => [
    ...Object.values(operations).map(({ route }) => route.split(' ')[1] ?? ''),
    ...[...pages, ...webhooks, ...sockets].map(({ path }) => path),
    ...systemPaths,
  ])
  const segments = paths.map((path) => path.split('/')[1] ?? '')
  const hostKeys = serviceAddresses.flatMap(({ host }) => host ?? [])
  const hosts = [...hostKeys.flatMap((key) => config[key]), ...config.PLATFORM_HOST, publicHost(config)]
  const shortNames = hostKeys.map((key) => key.replace('_HOST', '').toLowerCase())
  const labels = hosts.flatMap((host) => host.split('.'))
  return new Set([...segments, ...labels, ...everyService, ...shortNames, ...serviceAddresses.map(({ slug }) => slug)])
}

const publicHost = ({ PUBLIC_URL }: Config): string => (PUBLIC_URL ? new URL(PUBLIC_URL).hostname : '')
