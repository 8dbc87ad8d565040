import type { Actor, Permission } from '#lib/actor.ts'
import { isAllowed, serviceIdOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Context } from '#lib/context.ts'
import type { ActionButton } from '#lib/schema.ts'
import { readerOf } from './visible.ts'

declare module '#lib/call.ts' {
  interface Provided {
    readonly requirementsOf: RequirementsOf
  }
}

type Service = Pick<Context, 'slug' | 'registered'>

interface Requirement {
  service: Service
  permission: Permission
}

/** What the operations and pages at a path of this product require; empty for other URLs. */
export type RequirementsOf = (method: string, href: string) => readonly Requirement[]

interface Route extends Requirement {
  segments: readonly string[]
}

const segmentsOf = (path: string): string[] => path.split('/').slice(1)
const isParameter = (segment = ''): boolean => segment.startsWith(':')
const literals = ({ segments }: Route): number => segments.filter((segment) => !isParameter(segment)).length

/** Of all services, also those in other processes. */
export function createRequirementsOf(contexts: readonly Context[]): RequirementsOf {
  const routes = Map.groupBy(contexts.flatMap(routesOf), ({ method, segments }) => `${method} ${segments.length}`)
  return (method, href) => {
    if (!href.startsWith('/')) return []
    const given = segmentsOf(new URL(href, 'https://here.invalid').pathname)
    const found = (routes.get(`${method} ${given.length}`) ?? []).filter(({ segments }) =>
      segments.every((segment, at) => isParameter(segment) || segment === given[at]),
    )
    // `/api/posts/counts` isn't `/api/posts/:id`.
    const most = Math.max(...found.map(literals))
    return found.filter((route) => literals(route) === most)
  }
}

function routesOf(service: Context): (Route & { method: string })[] {
  const operations = Object.values(service.operations).map(({ route, permission }) => {
    const [method = '', path = ''] = route.split(' ')
    return { service, permission, method, segments: segmentsOf(path) }
  })
  const pages = service.pages.map(({ path, permission }) => ({
    service,
    permission,
    method: 'GET',
    segments: segmentsOf(path),
  }))
  return [...operations, ...pages]
}

type UsingCall = Pick<Call<unknown, Actor>, 'actor' | 'identity' | 'requirementsOf'>

/** Without those whose request would be refused to the person who sees them. Programs get all. */
export async function usableButtons(call: UsingCall, buttons: readonly ActionButton[]): Promise<ActionButton[]> {
  if (readerOf(call.actor) === null) return [...buttons]
  const usable = await Promise.all(buttons.map((button) => isUsable(call, button)))
  return buttons.filter((_, at) => usable[at])
}

async function isUsable({ actor, identity, requirementsOf }: UsingCall, { method, href }: ActionButton) {
  const requirements = requirementsOf(method, href)
  if (requirements.length === 0) return true
  const allowed = await Promise.all(
    requirements.map(async ({ service, permission }) =>
      isAllowed(actor, permission, await serviceIdOf(service, identity.serviceId)),
    ),
  )
  return allowed.includes(true)
}
