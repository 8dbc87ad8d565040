import { and, asc, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { memberships, organizations, serviceAccess } from '../schema.ts'
import type { SsoService } from './services.ts'

/** A context that a service can be used in; null is the personal one. */
interface Choice {
  id: string | null
  name: string
}

/** What the person has to decide, as a problem tells it. */
export class ContextNeeded extends Problem {
  readonly choices: readonly Choice[]

  constructor(service: SsoService, choices: readonly Choice[]) {
    const told = choices.map(({ id, name }) => ({ context: id ?? 'personal', name }))
    super(409, 'context_needed', contextDetail(service.name, choices), { members: { choices: told } })
    this.choices = choices
  }
}

const contextDetail = (service: string, choices: readonly Choice[]): string =>
  choices.length === 0
    ? `None of your workspaces has ${service}. Ask the owner of one to add it.`
    : `${service} isn’t where you work now. Choose a workspace that has it: ${choices.map(({ name }) => name).join(', ')}.`

/**
 * The context in which a service opens: the one that was wished for or is active, where the service is in it. From
 * elsewhere it is the single workspace that has the service, and otherwise the person's choice: 409 (IDN-14).
 */
export async function resolveContext(
  db: Database,
  { principal, organization, onlyIn }: Pick<Actor, 'principal' | 'organization' | 'onlyIn'>,
  service: SsoService,
  wished?: string,
): Promise<string | null> {
  const all = await listChoices(db, principal.id, service)
  const choices = onlyIn ? all.filter(({ id }) => id === onlyIn) : all
  const wish = wished === 'personal' ? null : (wished ?? organization?.id ?? null)
  if (choices.some(({ id }) => id === wish)) return wish
  const [only, ...others] = choices
  if (only && others.length === 0 && wished === undefined && !organization) return only.id
  throw new ContextNeeded(service, choices)
}

/** Where a person can use a service. One of others works with whatever a person works in: it reaches nothing there. */
async function listChoices(db: Database, userId: string, service: SsoService): Promise<Choice[]> {
  const access = and(eq(serviceAccess.organizationId, organizations.id), eq(serviceAccess.serviceId, service.id))
  const own = db
    .select({ id: organizations.id, name: organizations.name })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(eq(memberships.userId, userId))
    .orderBy(asc(organizations.id))
    .$dynamic()
  const workspaces = await (service.firstParty ? own.innerJoin(serviceAccess, access) : own)
  const personal = !service.firstParty || service.supportedContexts.includes('personal')
  return personal ? [{ id: null, name: 'Personal' }, ...workspaces] : workspaces
}
