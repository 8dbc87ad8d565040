import { NotSignedIn } from '../authorize.ts'
import { readBytes } from '../request/body.ts'
import type { RequestFacts } from '../call.ts'
import { Problem } from '../errors.ts'
import { errorFacts } from '../log.ts'
import { requireOwnOrigin } from '../request/origin.ts'
import type { RequestContext } from '../request/context.ts'
import { jsonResponse } from '../response/respond.ts'
import { admit, countRequest } from '../http/admission.ts'
import { isOwnHost, type Route } from '../http/routes.ts'
import type { Handler, HttpDependencies, McpOptions } from '../http/dependencies.ts'
import { createTools, type ToolCaller } from './tools.ts'

export function mcpRoute(http: HttpDependencies, mcp: McpOptions, handle: Handler): Route {
  const toolsFor = createTools(http, mcp, handle)
  return {
    method: 'POST',
    path: '/mcp',
    context: mcp.context,
    run: async (requestContext) => {
      const { request, facts } = requestContext
      requireOwnOrigin(facts, (hostname) => isOwnHost(http.hosts, hostname), http.allowedOrigins)
      const caller = await admitBearer(http, mcp, requestContext)
      const body = await readBytes(request)
      if (isBatch(body)) return batchRefusal(facts)
      const message = new Request(request.url, { method: 'POST', headers: request.headers, body })
      // Loading the protocol takes as long as half of the server's start, so it is loaded with the first message.
      const { answerMcp } = await import('../mcp.ts')
      return answerMcp(message, toolsFor(requestContext, caller), {
        ...mcp,
        reportError: (error) => http.log.error('mcp', { request: facts.id, ...errorFacts(error) }),
      })
    },
  }
}

/** Whether a body is a JSON-RPC batch, which would do the work of many requests and count as one. */
function isBatch(body: Uint8Array): boolean {
  try {
    return Array.isArray(JSON.parse(Buffer.from(body).toString()))
  } catch {
    return false // The protocol reports the error.
  }
}

const batchRefusal = (facts: RequestFacts): Response =>
  jsonResponse(
    400,
    {
      jsonrpc: '2.0',
      error: { code: -32_600, message: 'Batches are not supported. Send one message per request.' },
      id: null,
    },
    facts,
  )

/** Cookies are ignored. @throws {Problem} 401 with the URL of the metadata */
async function admitBearer(
  http: HttpDependencies,
  mcp: McpOptions,
  requestContext: RequestContext,
): Promise<ToolCaller> {
  const { facts } = requestContext
  const authorization = facts.headers.get('authorization')
  const unauthorizedProblem = ({ code, message }: Problem) =>
    new Problem(401, code, message, {
      headers: { 'WWW-Authenticate': `Bearer resource_metadata="${mcp.metadataUrl(facts)}"` },
    })
  if (authorization === null) {
    await countRequest(http, requestContext, 'reads', null)
    throw unauthorizedProblem(new NotSignedIn())
  }
  const requirements = { context: mcp.context, permission: 'known', limit: 'reads' } as const
  const actor = await admit(http, requestContext, requirements).catch((error: unknown) => {
    throw error instanceof NotSignedIn ? unauthorizedProblem(error) : error
  })
  return { credential: { authorization }, actor }
}
