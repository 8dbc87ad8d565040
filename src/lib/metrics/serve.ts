import { timingSafeEqual } from 'node:crypto'
import { unauthorized, problemDocument } from '../errors.ts'
import { digest, newId } from '../ids.ts'
import type { Metrics } from '../metrics.ts'

interface MetricsRequest {
  address: string | null
  headers: Headers
}

export async function serveMetrics(
  metrics: Metrics,
  token: string | undefined,
  url: URL,
  asker: MetricsRequest,
): Promise<Response | undefined> {
  if (url.pathname !== '/metrics') return undefined
  if (token === undefined && !isLocal(asker)) return undefined
  if (token !== undefined && !hasToken(asker.headers, token)) return refused()
  return new Response(await metrics.text(), { headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' } })
}

/** A proxy on this machine forwards requests from anywhere. */
const isLocal = ({ address, headers }: MetricsRequest): boolean =>
  (address === null || /^(127\.|::1$|::ffff:127\.)/.test(address)) &&
  !['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => headers.has(name))

const hasToken = (headers: Headers, token: string): boolean => {
  const shown = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? ''
  return timingSafeEqual(Buffer.from(digest(shown)), Buffer.from(digest(token)))
}

function refused(): Response {
  const problem = unauthorized('Send the METRICS_TOKEN of this server as a bearer token.')
  return Response.json(problemDocument(problem, newId()), {
    status: problem.status,
    headers: { 'Content-Type': 'application/problem+json', ...problem.options.headers },
  })
}
