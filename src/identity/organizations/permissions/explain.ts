import { roles as everyRole, type Role } from '#lib/actor.ts'
import type { Inspection } from './contract.ts'
import type { CatalogPermission } from './queries.ts'

type Entry = Omit<Inspection['entries'][number], 'can'>

export interface MemberStanding {
  organization: string
  name: string
  email: string
  role: Role
  suspended: boolean
  /** Canonical names. */
  held: ReadonlySet<string>
  access: Inspection['sources']['serviceAccess']
  overrides: Inspection['sources']['userOverrides']
  /** The roles per service, where the membership is limited to single resources. */
  limits: ReadonlyMap<string, Role[]>
}

const rolesIn = ({ role, limits }: MemberStanding, serviceId: string): Role[] => limits.get(serviceId) ?? [role]

/** `standing` is null outside organizations. */
export function explainPermission(catalogEntry: CatalogPermission, standing: MemberStanding | null): Entry {
  const { serviceId, service, serviceName, description, name } = catalogEntry
  const permission = `${serviceId}.${name}`
  const entry = { permission, serviceId, service, serviceName, description }
  if (!standing) return { ...entry, granted: false, explanation: noOrganization, sources: [] }
  const sources = sourcesOf(catalogEntry, permission, standing)
  const granted = standing.held.has(permission)
  return { ...entry, granted, explanation: explanationOf(catalogEntry, sources, standing), sources }
}

const noOrganization = 'Services have permissions only in an organization.'

function sourcesOf(
  { serviceId, roles }: CatalogPermission,
  permission: string,
  standing: MemberStanding,
): Entry['sources'] {
  const { access, overrides } = standing
  const own = overrides.filter((override) => override.permission === permission)
  return [
    ...access
      .filter((each) => each.serviceId === serviceId)
      .map((each) => ({ kind: 'service_access' as const, ...each })),
    ...rolesIn(standing, serviceId)
      .filter((role) => roles.includes(role))
      .map((role) => ({ kind: 'role_bundle' as const, role })),
    ...own.map((each) => ({ kind: 'user_override' as const, ...each })),
  ]
}

/** The first deciding fact, in words. */
function explanationOf(
  { serviceId, serviceName, roles }: CatalogPermission,
  sources: Entry['sources'],
  { organization, role, suspended, limits }: MemberStanding,
): string {
  const has = (kind: Entry['sources'][number]['kind']) => sources.some((source) => source.kind === kind)
  const override = (effect: 'grant' | 'deny') =>
    sources.find((source) => source.kind === 'user_override' && source.effect === effect)
  const [denied, granted] = [override('deny'), override('grant')]
  if (suspended) return `${organization} is suspended, so no member has permissions in it.`
  if (!has('service_access')) return `${organization} does not have ${serviceName}.`
  if (denied) return `Denied to this member by an override.${reasonSuffix(denied)}`
  const isLimited = limits.has(serviceId)
  if (has('role_bundle'))
    return isLimited ? 'Granted by a role, but only for individual resources.' : `Granted by the ${role} role.`
  if (granted)
    return `Granted to this member by an override; the ${role} role doesn’t include it.${reasonSuffix(granted)}`
  const reason = isLimited
    ? 'Not included in any of the roles for individual resources'
    : `Not included in the ${role} role`
  return roles.length > 0
    ? `${reason}. Requires ${formatRoles(roles)}.`
    : 'Not included in any role, because only services use it.'
}

const reasonSuffix = (source: Entry['sources'][number]): string =>
  'reason' in source && source.reason ? ` ${source.reason}` : ''

const formatRoles = (including: Role[]): string =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(everyRole.filter((role) => including.includes(role)))
