import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { paging } from '#lib/paginate.ts'
import { plainText } from '#lib/text.ts'
import { jsonSchemaError } from './json-schema.ts'

export const ActionName = z
  .string()
  .regex(/^[A-Za-z][\w-]{0,63}$/, 'Must be a letter and up to 63 letters, digits, _ or -, such as listPosts.')

const ActionMethod = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], 'Must be GET, POST, PUT, PATCH or DELETE.')

/** `/api/posts/:id`: segments without a query; none of them is `.` or `..`. */
const ActionPath = plainText(500).regex(
  /^(\/(:[A-Za-z]\w*|(?!\.{1,2}(\/|$))[\w.~-]+))+$/,
  'Must be a path such as /api/posts/:id, without a query.',
)

const ActionPermission = z
  .string()
  .max(100)
  .regex(/^[a-z_]+:[a-z]+$/, 'Must be a permission such as posts:read.')

/** Characters of a schema as JSON: lists have up to 500 actions. */
const maxSchemaLength = 16_000

const InputSchema = z
  .record(z.string(), z.unknown(), 'Must be a JSON Schema of an object.')
  .superRefine((schema, context) => {
    const isTooLong = JSON.stringify(schema).length > maxSchemaLength
    const message = isTooLong ? `Must be at most ${maxSchemaLength} characters of JSON.` : jsonSchemaError(schema)
    if (message) context.addIssue({ code: 'custom', message })
  })

/** Approved in the developer console (IDN-33). */
export const ActionDefinition = z.object({
  name: ActionName,
  summary: plainText(200).trim().min(1, 'Enter a one-line summary.'),
  method: ActionMethod,
  path: ActionPath,
  permission: ActionPermission.describe('A permission that the service declares.'),
  inputSchema: InputSchema.describe('JSON Schema (2020-12) of path, query and body as one object.'),
})
export type ActionDefinition = z.output<typeof ActionDefinition>

/** Replaces the previous set. */
export const ActionSync = z
  .object({
    service: plainText(100).optional().describe('The slug of the service that the actions belong to.'),
    serviceId: Id.optional().describe('The ID of the service, instead of its slug.'),
    app: plainText(100).default('').describe('The app that the set belongs to. Defaults to the service itself.'),
    actions: z.array(ActionDefinition).max(500, 'Must have at most 500 actions.'),
  })
  .superRefine(({ service, serviceId, actions }, context) => {
    const addIssue = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message })
    if ((service === undefined) === (serviceId === undefined))
      addIssue(['service'], 'Send either service or serviceId.')
    for (const [at, { name }] of findRepeated(actions, (action) => action.name))
      addIssue(['actions', at, 'name'], `Another action is also named ${name}.`)
    for (const [at, { method, path }] of findRepeated(actions, routeOf))
      addIssue(['actions', at, 'path'], `Another action also has the route ${method} ${path}.`)
  })
export type ActionSync = z.output<typeof ActionSync>

/** Method and path, regardless of the names of path parameters. */
const routeOf = ({ method, path }: ActionDefinition): string => `${method} ${path.replaceAll(/:\w+/g, ':')}`

function findRepeated(
  actions: ActionDefinition[],
  key: (action: ActionDefinition) => string,
): [number, ActionDefinition][] {
  const first = new Map<string, number>()
  actions.forEach((action, at) => first.set(key(action), first.get(key(action)) ?? at))
  return [...actions.entries()].filter(([at, action]) => first.get(key(action)) !== at)
}

export const ActionSyncResult = z.object({
  serviceId: Id,
  service: z.string(),
  app: z.string(),
  count: z.int().describe('The number of actions in the set.'),
  changed: z.boolean().describe('False when the set was already up to date.'),
})

export const Action = z.object({
  id: Id,
  service: z.string().describe('The slug of the action’s service.'),
  origin: z.url().nullable().describe('The origin of the app’s server. Null if the action belongs to this server.'),
  name: z.string(),
  summary: z.string(),
  method: ActionMethod,
  path: z.string(),
  permission: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
})
export type Action = z.output<typeof Action>

export const ActionFilter = z.object({
  ...paging,
  service: plainText(100).optional().describe('The slug of a service.'),
  name: plainText(100).optional().describe('The name of an action.'),
})
