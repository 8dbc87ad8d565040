import type { Context } from './context.ts'
import type { JsonSchema } from './openapi/document.ts'
import { inlineSchema } from './openapi/schemas.ts'

/** What a program is told of something that it may call. */
export interface ActionDefinition {
  /** The operation's name. */
  name: string
  summary: string
  method: string
  path: string
  permission: string
  inputSchema: JsonSchema
}

/** An action as a catalog tells it. */
export interface CallableAction extends ActionDefinition {
  /** The slug of its service. */
  service: string
  /** Where it is called when that is elsewhere: the address of an app. */
  origin: string | null
}

/** The operations of a context that are candidates for actions (PLT-17), as their declarations tell them. */
export const actionsOf = ({ operations }: Pick<Context, 'operations'>): ActionDefinition[] =>
  Object.entries(operations)
    .filter(([, { machine }]) => machine)
    .map(([name, { route, summary, permission, input }]) => {
      const [method = '', path = ''] = route.split(' ')
      return { name, summary, method, path, permission, inputSchema: inlineSchema(input, 'input') }
    })
