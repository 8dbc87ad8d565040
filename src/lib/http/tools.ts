import type { CallToolRequest, CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { CallableAction } from '../actions.ts'
import type { Actor } from '../actor.ts'
import { refuseLarge } from '../body.ts'
import type { RequestFacts } from '../call.ts'
import { Problem } from '../errors.ts'
import type { Tools } from '../mcp.ts'
import type { Operation } from '../operation.ts'
import type { RequestContext } from '../request-context.ts'
import { traceHeaders } from '../telemetry.ts'
import { actionRequest } from './action-request.ts'
import { callApp } from './app-call.ts'
import type { McpParts } from './mcp.ts'
import type { Credential, Handler, HttpParts } from './parts.ts'
import { createTelling } from './tool.ts'
import { refusalOf, resultOf } from './tool-result.ts'

/** Who asks, and what they showed. */
export interface Shown {
  credential: Credential
  actor: Actor | null
}

/** The tools of a credential: the actions that it can call, and that can be called from this server. */
export function createTools({ contexts, hosts, provided }: HttpParts, mcp: McpParts, handle: Handler) {
  const operations = new Map(
    contexts.flatMap(({ slug, operations: declared }) =>
      Object.entries(declared).map(([name, operation]) => [`${slug} ${name} ${operation.route}`, operation] as const),
    ),
  )
  const operationOf = ({ service, name, method, path }: CallableAction): Operation | undefined =>
    operations.get(`${service} ${name} ${method} ${path}`)
  const toolOf = createTelling()
  // Where services have hosts of their own, this one answers for them all.
  const here = ({ url }: RequestFacts) => (hosts.services.size > 0 ? 'http://localhost' : url.origin)

  return ({ facts, signal }: RequestContext, { credential, actor }: Shown): Tools => {
    const isCallable = (action: CallableAction) => operationOf(action) !== undefined || isOfApp(action, actor)

    const call = async (action: CallableAction, { arguments: input = {}, _meta }: CallToolRequest['params']) => {
      refuseLarge(input)
      const headers = headersOf(facts, credential, _meta)
      if (operationOf(action)) {
        const request = actionRequest(action, input, { origin: here(facts), headers, signal })
        return resultOf(await handle(request, facts.address))
      }
      return callApp(provided.outbound, actionRequest(action, input, { origin: action.origin ?? '', headers, signal }))
    }

    return {
      list: async (cursor) => {
        const { items, nextCursor } = await mcp.actions(credential, { cursor })
        const tools = items.filter(isCallable).map((action) => toolOf(action, operationOf(action)))
        return { tools, ...(nextCursor !== null && { nextCursor }) }
      },
      call: async (wish) => {
        const { items } = await mcp.actions(credential, { name: wish.name })
        const action = items.find((each) => each.name === wish.name && isCallable(each))
        return action && call(action, wish).catch((error: unknown) => refused(error, facts))
      },
    }
  }
}

/**
 * An app elsewhere is called with its own keys alone: whatever else a person shows would open more to the app than it is
 * for, and a test key reaches nothing real.
 */
const isOfApp = ({ origin }: CallableAction, actor: Actor | null): boolean =>
  origin !== null && actor?.tokenType === 'api_key' && !actor.credential.test

function refused(error: unknown, { id }: RequestFacts): CallToolResult {
  if (error instanceof Problem) return refusalOf(error, id)
  throw error
}

/** A key that makes a repeated call one: of the message, or of the request that brings it (PLT-13). */
function headersOf(facts: RequestFacts, { authorization = '' }: Credential, meta: CallToolRequest['params']['_meta']) {
  const key = meta?.['idempotencyKey'] ?? facts.headers.get('idempotency-key')
  return {
    ...traceHeaders(),
    authorization,
    accept: 'application/json',
    ...(typeof key === 'string' && { 'idempotency-key': key }),
  }
}
