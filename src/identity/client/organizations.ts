import { listOf } from '#lib/paginate.ts'
import {
  Audience,
  Colleague,
  MemberAccess,
  MemberState,
  NamedResource,
  OrganizationState,
  PermissionHolder,
  PlatformOrganization,
} from '../contract.ts'
import { BindableReportResult } from '../organizations/bindable-resources/contract.ts'
import { OrganizationAccess } from '../organizations/permissions/contract.ts'
import { actorOfMember } from './actor.ts'
import type { IdentityClient } from './client.ts'
import { headersOf } from './headers.ts'
import { partsOf } from './parts.ts'
import { createRecent } from './recent.ts'
import { dashboardSlug, type Requests } from './requests.ts'

type Organizations = Pick<
  IdentityClient,
  | 'adminOrganizationId'
  | 'organizationState'
  | 'isSuspended'
  | 'isMember'
  | 'memberActor'
  | 'permissionHolders'
  | 'permissionsIn'
  | 'audience'
  | 'colleagues'
  | 'names'
  | 'reportBindables'
>

const stateTtlMs = 2_000

export function createOrganizations(
  { fetchJson, requestAsService }: Requests,
  serviceId: IdentityClient['serviceId'],
): Organizations {
  const organizationState = createRecent(stateTtlMs, (organizationId) =>
    requestAsService(OrganizationState, `/api/internal/organizations/${organizationId}/state`),
  )
  const isMember = createRecent(stateTtlMs, async (path) => (await requestAsService(MemberState, path)).member)

  return {
    adminOrganizationId: async () =>
      (await requestAsService(PlatformOrganization, '/api/internal/admin-organization')).id,
    organizationState,
    isSuspended: async (organizationId) => (await organizationState(organizationId)).suspended,
    isMember: (organizationId, userId) => isMember(`/api/internal/organizations/${organizationId}/members/${userId}`),
    memberActor: async (organizationId, userId) => {
      const path = `/api/internal/organizations/${organizationId}/members/${userId}/access`
      return actorOfMember(userId, await requestAsService(MemberAccess, path, { refusals: [404] }))
    },
    permissionHolders: async (organizationId, service, permission) => {
      const query = new URLSearchParams({ permission: `${await serviceId(service)}.${permission}` })
      const path = `/api/internal/organizations/${organizationId}/permission-holders?${query}`
      return (await requestAsService(listOf(PermissionHolder), path)).items
    },
    permissionsIn: async (presented, organizationId) => {
      const path = `/api/organizations/${organizationId}/access`
      const access = await fetchJson(OrganizationAccess, path, headersOf(presented), { refusals: [403, 404] })
      return new Set(access.permissions)
    },
    audience: (organizationId, { ids, after, limit }) => {
      const query = new URLSearchParams({
        limit: String(limit),
        ...(ids && { ids: ids.join(',') }),
        ...(after !== undefined && { after }),
      })
      const path = `/api/internal/organizations/${organizationId}/audience?${query}`
      return requestAsService(Audience, path, { service: dashboardSlug })
    },
    colleagues: async (presented, organizationId, text) => {
      const query = new URLSearchParams({ q: text, limit: '20' })
      const path = `/api/organizations/${organizationId}/members?${query}`
      return (await fetchJson(listOf(Colleague), path, headersOf(presented))).items
    },
    names: async (organizationId, ids) => {
      const [first] = partsOf(ids)
      if (!first) return new Map()
      const path = `/api/internal/organizations/${organizationId}/names?ids=${first.join(',')}`
      const found = await requestAsService(listOf(NamedResource), path).catch(() => ({ items: [] }))
      return new Map(found.items.map(({ id, name }) => [id, name]))
    },
    reportBindables: async (service, items) => {
      await requestAsService(BindableReportResult, '/api/internal/bindable-resources', { service, sent: { items } })
    },
  }
}
