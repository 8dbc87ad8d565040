import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import type { CallableAction } from '../actions.ts'
import type { JsonSchema } from '../openapi/document.ts'
import { wholeSchema } from '../openapi/schemas.ts'
import type { Operation } from '../operation.ts'

/** Tells of actions as tools; what an operation answers is worked out once. */
export function createTelling(): (action: CallableAction, operation: Operation | undefined) => Tool {
  const outputs = new Map<Operation, JsonSchema | null>()
  const outputOf = (operation: Operation): JsonSchema | null => {
    if (!outputs.has(operation)) outputs.set(operation, tellable(operation))
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

/** The schema of what an operation answers, where it is one object whatever happens. */
function tellable({ answers, output }: Operation): JsonSchema | null {
  const schema = answers ? null : wholeSchema(output, 'output')
  return schema?.type === 'object' ? schema : null
}
