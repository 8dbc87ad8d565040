import type { CallableAction } from '../actions.ts'
import { NotSignedIn } from '../authorize.ts'
import { readBytes } from '../body.ts'
import type { RequestFacts } from '../call.ts'
import type { Context } from '../context.ts'
import { Problem } from '../errors.ts'
import { errorFacts } from '../log.ts'
import { requireOwnOrigin } from '../origin.ts'
import type { PageOf } from '../paginate.ts'
import type { RequestContext } from '../request-context.ts'
import { json } from '../respond.ts'
import { admitted } from './admission.ts'
import { count } from './count.ts'
import { isOurs } from './hosts.ts'
import type { Credential, Handler, HttpParts } from './parts.ts'
import type { Route } from './routes.ts'
import { createTools, type Shown } from './tools.ts'

/** What `/mcp` needs beside the server's own parts. */
export interface McpParts {
  /** The context of which it is. */
  context: Context
  /** What a credential may call, by name: all, a page at a time, or the action of one name. Throws 401 and 503. */
  actions(credential: Credential, wish: { cursor?: string; name?: string }): Promise<PageOf<CallableAction>>
  /** Where programs read what guards it (RFC 9728). */
  metadataUrl(facts: RequestFacts): string
  version: string
  instructions: string
}

/** The route of the Model Context Protocol. `handle` is the whole server: a tool's call is a request to it. */
export function mcpRoute(http: HttpParts, mcp: McpParts, handle: Handler): Route {
  const toolsFor = createTools(http, mcp, handle)
  return {
    method: 'POST',
    path: '/mcp',
    context: mcp.context,
    run: async (requestContext) => {
      const { request, facts } = requestContext
      requireOwnOrigin(facts, (hostname) => isOurs(http.hosts, hostname), http.allowedOrigins)
      const caller = await shown(http, mcp, requestContext)
      const body = await readBytes(request)
      if (isBatch(body)) return batchRefused(facts)
      const message = new Request(request.url, { method: 'POST', headers: request.headers, body })
      // Loading the protocol takes as long as half of the server's start: who doesn't speak it doesn't wait for it.
      const { answerMcp } = await import('../mcp.ts')
      return answerMcp(message, toolsFor(requestContext, caller), {
        ...mcp,
        complain: (error) => http.log.error('mcp', { request: facts.id, ...errorFacts(error) }),
      })
    },
  }
}

/** Whether a body is a list: a batch of JSON-RPC would do the work of many requests and count as one. */
function isBatch(body: Uint8Array): boolean {
  try {
    return Array.isArray(JSON.parse(Buffer.from(body).toString()))
  } catch {
    return false // The protocol says what is wrong with it.
  }
}

const batchRefused = (facts: RequestFacts): Response =>
  json(
    400,
    {
      jsonrpc: '2.0',
      error: { code: -32_600, message: 'Batches are not supported. Send one message per request.' },
      id: null,
    },
    facts,
  )

/** The bearer, let in: a browser's cookie counts for nothing here. Throws 401 that tells where to ask for one. */
async function shown(http: HttpParts, mcp: McpParts, requestContext: RequestContext): Promise<Shown> {
  const { facts } = requestContext
  const authorization = facts.headers.get('authorization')
  const refused = ({ code, message }: Problem) =>
    new Problem(401, code, message, {
      headers: { 'WWW-Authenticate': `Bearer resource_metadata="${mcp.metadataUrl(facts)}"` },
    })
  if (authorization === null) {
    await count(http, requestContext, 'reads', null)
    throw refused(new NotSignedIn())
  }
  const wanted = { context: mcp.context, permission: 'known', limit: 'reads' } as const
  const actor = await admitted(http, requestContext, wanted).catch((error: unknown) => {
    throw error instanceof NotSignedIn ? refused(error) : error
  })
  return { credential: { authorization }, actor }
}
