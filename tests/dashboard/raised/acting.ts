import type { ActionButton } from '#lib/schema.ts'
import type { Caller, World } from '../../support/world.ts'

export interface OpenAction {
  cause: string
  kind: string
  surface: string
  permission: string
  title: string
  reason: string
  actions: ActionButton[]
  organization: string
  resource: string | null
  person: string | null
  due: string | null
}

/** Open actions whose cause begins so, the oldest first. */
export const openActions = async ({ database }: Pick<World, 'database'>, prefix: string): Promise<OpenAction[]> => [
  ...(await database.sql<OpenAction[]>`
    SELECT cause, kind, surface, permission, title, reason, actions, organization_id AS organization,
      resource_id AS resource, person_id AS person, due_at AS due
    FROM platform.raised_actions WHERE resolved_at IS NULL AND starts_with(cause, ${prefix}) ORDER BY id`),
]

export const labelsOf = ({ actions }: Pick<OpenAction, 'actions'>): string[] => actions.map(({ label }) => label)

/** Sends what the button with this label stands for, as the page of actions does. */
export function press(
  caller: Pick<Caller, 'fetch'>,
  action: OpenAction | undefined,
  label: string,
  values: Record<string, string> = {},
): Promise<Response> {
  const button = action?.actions.find((each) => each.label === label)
  if (!button) throw new Error(`There is no button ${label}: ${action ? labelsOf(action).join(', ') : 'no action'}`)
  const names = (button.fields ?? []).map(({ name }) => name)
  const unknown = Object.keys(values).filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`The button ${label} has no field ${unknown.join()}`)
  const { method, href, body, fields } = button
  return caller.fetch(`${method} ${href}`, method === 'GET' || !(body || fields) ? undefined : { ...body, ...values })
}
