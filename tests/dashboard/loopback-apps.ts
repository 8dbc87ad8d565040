import type { Caller, World } from '../support/world.ts'

export type Behavior = (request: Request) => Response | Promise<Response>

export interface Shown {
  app: string
  state: string
  payload: { title: string; items: { title: string }[] }
  error: { code: string; detail: string } | null
}

export interface Received {
  path: string
  authorization: string
}

export const widgetOf = (title: string, changes: object = {}): Response =>
  Response.json({
    app: { slug: 'someone-else', name: 'Someone else' },
    title,
    generatedAt: new Date().toISOString(),
    metrics: [],
    items: [],
    actions: [],
    ...changes,
  })

/** Third-party apps on one loopback server, which answers as the behavior of the first path segment says. */
export function openApps() {
  const behaviors = new Map<string, Behavior>()
  const received: Received[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      const { pathname } = new URL(request.url)
      received.push({ path: pathname, authorization: request.headers.get('authorization') ?? '' })
      return (behaviors.get(pathname.split('/')[1] ?? '') ?? (() => widgetOf('unset')))(request)
    },
  })
  const { origin } = server.url
  return {
    origin,
    behaviors,
    received,
    close: () => server.stop(true),
    /** Installs it in organizations; by default its widget is on the server. */
    install: async (
      { database: { sql } }: { database: Pick<World['database'], 'sql'> },
      slug: string,
      organizations: readonly string[],
      widgetUrl: string | null = `${origin}/${slug}/api/widget`,
    ) => {
      await sql`
        INSERT INTO identity.services (slug, name, description, surface_kind, launchable, web_url, widget_url)
        VALUES (${slug}, ${slug}, 'About it', 'app', true, ${`${origin}/${slug}/`}, ${widgetUrl})`
      await sql`
        INSERT INTO identity.service_access (organization_id, service_id, granted_at)
        SELECT organization, id, now() FROM identity.services, unnest(${sql.array([...organizations])}::uuid[]) AS organization
        WHERE slug = ${slug}`
    },
  }
}

export const load = async (caller: Pick<Caller, 'fetchJson'>, apps: readonly string[], more = {}): Promise<Shown[]> =>
  (await caller.fetchJson<{ items: Shown[] }>('POST /api/widgets', { apps, ...more })).items

export const claimsOf = (authorization: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(authorization.split('.')[1] ?? '', 'base64url').toString() || '{}')
