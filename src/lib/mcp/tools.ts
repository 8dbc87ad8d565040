import type { CallToolRequest, CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { CallableAction } from '../actions.ts'
import type { Actor } from '../actor.ts'
import { refuseLarge } from '../request/body.ts'
import type { RequestFacts } from '../call.ts'
import { Problem } from '../errors.ts'
import type { Tools } from '../mcp.ts'
import type { Operation } from '../operation.ts'
import type { RequestContext } from '../request/context.ts'
import { traceHeaders } from '../telemetry.ts'
import { createActionRequest } from './action-request.ts'
import { callApp } from './app-call.ts'
import type { Credential, Handler, HttpDependencies, McpOptions } from '../http/dependencies.ts'
import { createToolFormatter } from './tool-formatter.ts'
import { problemResult, readToolResult } from './tool-result.ts'

export interface ToolCaller {
  credential: Credential
  actor: Actor | null
}

export function createTools({ contexts, hosts, paths, provided }: HttpDependencies, mcp: McpOptions, handle: Handler) {
  const operations = new Map(
    contexts.flatMap(({ slug, operations: declared }) =>
      Object.entries(declared).map(([name, operation]) => [`${slug} ${name} ${operation.route}`, operation] as const),
    ),
  )
  const operationOf = ({ service, name, method, path }: CallableAction): Operation | undefined =>
    operations.get(`${service} ${name} ${method} ${path}`)
  const toolOf = createToolFormatter()
  // Where each service has its own host, localhost serves all of them.
  const originFor = ({ url }: RequestFacts) => (hosts.services.size > 0 ? 'http://localhost' : url.origin)

  return ({ facts, signal }: RequestContext, { credential, actor }: ToolCaller): Tools => {
    const isCallable = (action: CallableAction) => operationOf(action) !== undefined || isExternalApp(action, actor)

    const call = async (action: CallableAction, { arguments: input = {}, _meta }: CallToolRequest['params']) => {
      refuseLarge(input)
      const headers = headersOf(facts, credential, _meta)
      if (operationOf(action)) {
        const app = action.path in paths.shared ? action.service : undefined
        const request = createActionRequest(action, input, { origin: originFor(facts), headers, signal, app })
        return readToolResult(await handle(request, facts.address))
      }
      return callApp(
        provided.outbound,
        createActionRequest(action, input, { origin: action.origin ?? '', headers, signal }),
      )
    }

    return {
      list: async (cursor) => {
        const { items, nextCursor } = await mcp.actions(credential, { cursor })
        const tools = items.filter(isCallable).map((action) => toolOf(action, operationOf(action)))
        return { tools, ...(nextCursor !== null && { nextCursor }) }
      },
      call: async (params) => {
        const { items } = await mcp.actions(credential, { name: params.name })
        const action = items.find((each) => each.name === params.name && isCallable(each))
        return action && call(action, params).catch((error: unknown) => problemResultOf(error, facts))
      },
    }
  }
}

/** With the app's own keys only: others would give it more access, and test keys call nothing outside. */
const isExternalApp = ({ origin }: CallableAction, actor: Actor | null): boolean =>
  origin !== null && actor?.tokenType === 'api_key' && !actor.credential.test

function problemResultOf(error: unknown, { id }: RequestFacts): CallToolResult {
  if (error instanceof Problem) return problemResult(error, id)
  throw error
}

/** The idempotency key comes from the message, else from the HTTP request (PLT-13). */
function headersOf(facts: RequestFacts, { authorization = '' }: Credential, meta: CallToolRequest['params']['_meta']) {
  const key = meta?.['idempotencyKey'] ?? facts.headers.get('idempotency-key')
  return {
    ...traceHeaders(),
    authorization,
    accept: 'application/json',
    ...(typeof key === 'string' && { 'idempotency-key': key }),
  }
}
