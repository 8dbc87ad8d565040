import { and, asc, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { memberships, organizations, serviceAccess } from '../schema.ts'
import type { SsoService } from './services.ts'

/** Null is the personal context. */
interface Choice {
  id: string | null
  name: string
}

export class ContextNeeded extends Problem {
  readonly choices: readonly Choice[]

  constructor(service: SsoService, choices: readonly Choice[]) {
    const contexts = choices.map(({ id, name }) => ({ context: id ?? 'personal', name }))
    super(409, 'context_required', contextDetail(service.name, choices), { members: { choices: contexts } })
    this.choices = choices
  }
}

const contextDetail = (service: string, choices: readonly Choice[]): string =>
  choices.length === 0
    ? `None of your organizations has ${service}. Ask an owner to add it.`
    : `${service} isn’t available in your current organization. Choose one that has it: ${choices.map(({ name }) => name).join(', ')}.`

/** The requested or active one if it has the service, else the only one that has it (IDN-14). @throws ContextNeeded */
export async function resolveContext(
  db: Database,
  { principal, organization, onlyIn }: Pick<Actor, 'principal' | 'organization' | 'onlyIn'>,
  service: SsoService,
  requested?: string,
): Promise<string | null> {
  const all = await listChoices(db, principal.id, service)
  const choices = onlyIn ? all.filter(({ id }) => id === onlyIn) : all
  const preferred = requested === 'personal' ? null : (requested ?? organization?.id ?? null)
  if (choices.some(({ id }) => id === preferred)) return preferred
  const [only, ...others] = choices
  if (only && others.length === 0 && requested === undefined && !organization) return only.id
  throw new ContextNeeded(service, choices)
}

/** Third-party services work in all contexts: they have no access to the organization’s data. */
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
