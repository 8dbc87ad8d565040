import { roles as everyRole, type Role } from '#lib/actor.ts'
import type { Inspection } from './contract.ts'
import type { CatalogPermission } from './facts.ts'

type Entry = Inspection['entries'][number]

/** A membership and what speaks for and against its permissions. */
export interface MemberStanding {
  organization: string
  role: Role
  suspended: boolean
  /** Canonical permissions that are held. */
  held: ReadonlySet<string>
  access: Inspection['sources']['serviceAccess']
  overrides: Inspection['sources']['userOverrides']
  /** The roles in single resources of a service, where the membership is limited to these. */
  limits: ReadonlyMap<string, Role[]>
}

/** The roles that count in a service. */
const rolesIn = ({ role, limits }: MemberStanding, serviceId: string): Role[] => limits.get(serviceId) ?? [role]

/** Whether one permission of the catalog is held, with what decides it; `standing` is null outside organizations. */
export function explainPermission(asked: CatalogPermission, standing: MemberStanding | null): Entry {
  const { serviceId, service, serviceName, description, name } = asked
  const permission = `${serviceId}.${name}`
  const entry = { permission, serviceId, service, serviceName, description }
  if (!standing) return { ...entry, granted: false, explanation: noOrganization, sources: [] }
  const sources = sourcesOf(asked, permission, standing)
  const granted = standing.held.has(permission)
  return { ...entry, granted, explanation: explanationOf(asked, sources, standing), sources }
}

const noOrganization = 'Permissions of services exist only inside an organization.'

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

/** The first thing that decides, in words. */
function explanationOf(
  { serviceId, serviceName, roles }: CatalogPermission,
  sources: Entry['sources'],
  { organization, role, suspended, limits }: MemberStanding,
): string {
  const has = (kind: Entry['sources'][number]['kind']) => sources.some((source) => source.kind === kind)
  const override = (effect: 'grant' | 'deny') =>
    sources.find((source) => source.kind === 'user_override' && source.effect === effect)
  const [denied, granted] = [override('deny'), override('grant')]
  if (suspended) return `${organization} is suspended: no member has permissions in it.`
  if (!has('service_access')) return `${organization} does not have ${serviceName}.`
  if (denied) return `Denied to this member alone, whatever else grants it.${reasonSuffix(denied)}`
  const isLimited = limits.has(serviceId)
  if (has('role_bundle'))
    return isLimited ? 'A role in single resources carries it, there alone.' : `The role ${role} carries it.`
  if (granted) return `Granted to this member alone, beside the role ${role}.${reasonSuffix(granted)}`
  const lacking = isLimited ? 'None of the roles in single resources carries it' : `The role ${role} does not carry it`
  return roles.length > 0
    ? `${lacking}: ${formatRoles(roles)} ${roles.length > 1 ? 'do' : 'does'}.`
    : 'No role carries it: it is for services.'
}

const reasonSuffix = (source: Entry['sources'][number]): string =>
  'reason' in source && source.reason ? ` ${source.reason}` : ''

const formatRoles = (carrying: Role[]): string =>
  new Intl.ListFormat('en').format(everyRole.filter((role) => carrying.includes(role)))
