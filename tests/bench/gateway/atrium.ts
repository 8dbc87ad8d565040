import { join } from 'node:path'
import postgres from 'postgres'
import { z } from 'zod'
import { newId } from '#lib/ids.ts'
import { home, serve, type Served } from '../../support/served.ts'

export interface Atrium {
  servers: readonly Served[]
  apiKey: string
  organizationId: string
}

/** Applications that the callers name. */
export const applicationId = 'bench'

/** Servers on one database, an API key, a credential for the provider, and hard limits of three scopes. */
export async function startAtrium(databaseUrl: string, providerUrl: string, processes: number): Promise<Atrium> {
  const servers: Served[] = []
  for (let at = 0; at < processes; at++)
    servers.push(await serve({ databaseUrl, file: join(home, `${at}.log`), env: { LOG_LEVEL: 'info' } }))
  const url = servers[0]?.url ?? ''
  const person = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }
  const registered = await send(url, 'POST /register', {
    ...person,
    createOrganization: true,
    organizationName: 'Acme',
  })
  const { accessToken } = z.object({ accessToken: z.string() }).parse(registered)
  const headers = { authorization: `Bearer ${accessToken}` }
  const me = await send(url, 'GET /api/auth/me', undefined, headers)
  const organizationId = z.object({ organization: z.object({ id: z.string() }) }).parse(me).organization.id
  await send(
    url,
    'PUT /api/credentials/openai',
    { label: 'Bench', secret: { apiKey: 'sk-bench-0123456789' }, baseUrl: `${providerUrl}v1` },
    headers,
  )
  await createLimits(databaseUrl, organizationId)
  const draft = { name: 'Bench', service: 'platform-gateway', scopes: ['ai.invoke'] }
  const { key } = z.object({ key: z.string() }).parse(await send(url, 'POST /api/api-keys', draft, headers))
  return { servers, apiKey: key, organizationId }
}

async function send(url: string, route: string, sent?: object, headers: Record<string, string> = {}): Promise<unknown> {
  const [method, path] = route.split(' ')
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(sent && { body: JSON.stringify(sent) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${route} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

/** The platform’s, the organization’s and the application’s: too large to be reached, yet each request reserves from all. */
async function createLimits(databaseUrl: string, organizationId: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1 })
  for (const [type, value, owner] of [
    ['platform', 'platform', null],
    ['organization', organizationId, organizationId],
    ['application', applicationId, organizationId],
  ] as const)
    await sql`
      INSERT INTO gateway.limits (id, organization_id, scope_type, scope_value, period, mode, limit_nano_usd, created_by, counts_from)
      VALUES (${newId()}, ${owner}, ${type}, ${value}, 'month', 'hard', ${1e15}, ${newId()}, to_timestamp(0))`
  await sql`UPDATE gateway.limits_version SET version = version + 1`
  // The platform pays, so that its limit counts the calls, too.
  await sql`UPDATE gateway.provider_credentials SET organization_id = NULL`
  await sql.end()
}
