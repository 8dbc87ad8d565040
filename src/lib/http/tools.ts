import type { CallToolRequest, Tool } from '@modelcontextprotocol/sdk/types.js'
import type { CallableAction } from '../actions.ts'
import type { RequestFacts } from '../call.ts'
import type { Tools } from '../mcp.ts'
import type { JsonSchema } from '../openapi/document.ts'
import { wholeSchema } from '../openapi/schemas.ts'
import type { Operation } from '../operation.ts'
import { traceHeaders } from '../telemetry.ts'
import { actionRequest } from './action-request.ts'
import type { McpParts } from './mcp.ts'
import type { Credential, Handler, HttpParts } from './parts.ts'
import { refusalOf, resultOf } from './tool-result.ts'

/** The tools of whoever shows a credential: the actions that it may call and that this server answers. */
export function createTools({ contexts, hosts }: HttpParts, mcp: McpParts, handle: Handler) {
  const operations = new Map(
    contexts.flatMap(({ slug, operations: declared }) =>
      Object.entries(declared).map(([name, operation]) => [`${slug} ${name} ${operation.route}`, operation] as const),
    ),
  )
  const operationOf = ({ service, name, method, path }: CallableAction): Operation | undefined =>
    operations.get(`${service} ${name} ${method} ${path}`)
  const outputs = new Map<Operation, JsonSchema | null>()
  const outputOf = (operation: Operation): JsonSchema | null => {
    if (!outputs.has(operation)) outputs.set(operation, tellable(operation))
    return outputs.get(operation) ?? null
  }
  // Where services have hosts of their own, this one answers for them all.
  const originOf = ({ url }: RequestFacts) => (hosts.services.size > 0 ? 'http://localhost' : url.origin)

  return (facts: RequestFacts, credential: Credential): Tools => ({
    list: async (cursor) => {
      const { items, nextCursor } = await mcp.actions(credential, { cursor })
      const tools = items.flatMap((action) => {
        const operation = operationOf(action)
        return operation ? [toolOf(action, operation, outputOf(operation))] : []
      })
      return { tools, ...(nextCursor !== null && { nextCursor }) }
    },
    call: async ({ name, arguments: input = {}, _meta }) => {
      const { items } = await mcp.actions(credential, { name })
      const action = items.find((each) => each.name === name && operationOf(each))
      if (!action) return undefined
      const headers = headersOf(facts, credential, _meta)
      const asked = actionRequest(action, input, { origin: originOf(facts), headers })
      return asked instanceof Request ? resultOf(await handle(asked, facts.address)) : refusalOf(asked, facts.id)
    },
  })
}

/** The schema of what an operation answers, where it is one object whatever happens. */
function tellable({ answers, output }: Operation): JsonSchema | null {
  const schema = answers ? null : wholeSchema(output, 'output')
  return schema?.type === 'object' ? schema : null
}

function toolOf(
  { name, summary, method, inputSchema }: CallableAction,
  { creates }: Operation,
  output: JsonSchema | null,
): Tool {
  return {
    name,
    description: `${summary}.`,
    inputSchema: { ...inputSchema, type: 'object' },
    ...(output && { outputSchema: { ...output, type: 'object' } }),
    annotations: {
      title: summary,
      readOnlyHint: method === 'GET',
      destructiveHint: method !== 'GET' && !creates,
      idempotentHint: ['GET', 'PUT', 'DELETE'].includes(method),
    },
  }
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
