import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import type { CallableAction } from '../actions.ts'
import type { JsonSchema } from '../openapi/document.ts'
import { inlineSchema } from '../openapi/schemas.ts'
import type { Operation } from '../operation.ts'

export function createToolFormatter(): (action: CallableAction, operation: Operation | undefined) => Tool {
  const outputs = new Map<Operation, JsonSchema | null>()
  const outputOf = (operation: Operation): JsonSchema | null => {
    if (!outputs.has(operation)) outputs.set(operation, outputSchemaOf(operation))
    return outputs.get(operation) ?? null
  }
  return ({ name, summary, method, inputSchema }, operation) => {
    const output = operation && outputOf(operation)
    return {
      name,
      description: `${summary}.`,
      inputSchema: { ...inputSchema, type: 'object' },
      ...(output && { outputSchema: { ...output, type: 'object' } }),
      annotations: {
        title: summary,
        readOnlyHint: method === 'GET',
        destructiveHint: method !== 'GET' && !operation?.creates,
        idempotentHint: ['GET', 'PUT', 'DELETE'].includes(method),
      },
    }
  }
}

/** Null when the result isn't one object: tools can't describe it. */
function outputSchemaOf({ answers, output }: Operation): JsonSchema | null {
  const schema = answers ? null : inlineSchema(output, 'output')
  return schema?.type === 'object' ? schema : null
}
