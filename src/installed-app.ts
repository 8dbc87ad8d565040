import { serveRootFile } from '#lib/assets.ts'
import type { Context } from '#lib/context.ts'
import { acceptsHost, scopeOf, type Hosts } from '#lib/http/routes.ts'
import type { SystemRoute } from '#lib/http/dependencies.ts'

/** What browsers install from the dashboard's host. On hosts of other services, the manifest has none of its pages. */
export function installedApp(contexts: readonly Context[], hosts: Hosts): [string, SystemRoute][] {
  const isLaunchpad = (hostname: string) =>
    contexts.some((context) => context.installable && scopeOf(hosts, hostname).isOpen(context))
  const on =
    (serve: (isHere: boolean) => Response | undefined | Promise<Response | undefined>): SystemRoute =>
    (_, { url }) =>
      acceptsHost(hosts, url.hostname) ? serve(isLaunchpad(url.hostname)) : undefined
  return [
    ['manifest.webmanifest', on((isHere) => (isHere ? serveRootFile('manifest.webmanifest') : plainManifest()))],
    ['service-worker.js', on((isHere) => (isHere ? serveRootFile('service-worker.js') : undefined))],
  ]
}

async function plainManifest(): Promise<Response | undefined> {
  const whole = serveRootFile('manifest.webmanifest')
  if (!whole) return undefined
  const { start_url: _, shortcuts: __, ...manifest }: Record<string, unknown> = await whole.json()
  return Response.json({ ...manifest, start_url: '/' }, { headers: whole.headers })
}
