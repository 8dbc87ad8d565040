import type { Context } from './context.ts'
import type { JsonSchema } from './openapi/document.ts'
import { inlineSchema } from './openapi/schemas.ts'

export interface ActionDefinition {
  name: string
  summary: string
  method: string
  path: string
  permission: string
  inputSchema: JsonSchema
}

export interface CallableAction extends ActionDefinition {
  service: string
  /** The origin of a third-party app; null for this server's own actions. */
  origin: string | null
}

export const actionsOf = ({ operations }: Pick<Context, 'operations'>): ActionDefinition[] =>
  Object.entries(operations)
    .filter(([, { machine }]) => machine)
    .map(([name, { route, summary, permission, input }]) => {
      const [method = '', path = ''] = route.split(' ')
      return { name, summary, method, path, permission, inputSchema: inlineSchema(input, 'input') }
    })
