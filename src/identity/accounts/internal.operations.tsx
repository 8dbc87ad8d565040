import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { hasAccounts as anyAccount, namesOf } from './accounts.ts'
import { adminOrganizationId } from '../admin/admin-organization.ts'
import { stateOf } from '../admin/suspended.ts'
import { listNames } from '../organizations/bindable-resources/names.ts'
import { isMember } from '../organizations/members/is-member.ts'
import {
  AccountsStatus,
  PlatformOrganization,
  MemberState,
  NamedResource,
  NamesQuery,
  OrganizationState,
  PeopleQuery,
  Person,
} from '../contract.ts'

export const listPeople = operation({
  route: 'GET /api/internal/users',
  summary: 'List users by ID',
  permission: 'service',
  input: PeopleQuery,
  output: listOf(Person),
  run: async ({ db, input }) => ({ items: await namesOf(db, input.ids), nextCursor: null }),
})

export const hasAccounts = operation({
  route: 'GET /api/internal/has-accounts',
  summary: 'Check whether any account exists',
  permission: 'service',
  input: z.object({}),
  output: AccountsStatus,
  run: async ({ db }) => ({ hasAccounts: await anyAccount(db) }),
})

export const getOrganizationMember = operation({
  route: 'GET /api/internal/organizations/:id/members/:userId',
  summary: 'Check whether a user is a member',
  permission: 'service',
  input: z.object({ id: Id, userId: Id }),
  output: MemberState,
  run: async ({ db, input }) => ({ member: await isMember(db, input.id, input.userId) }),
})

export const getOrganizationState = operation({
  route: 'GET /api/internal/organizations/:id/state',
  summary: 'Get the state of an organization',
  permission: 'service',
  input: z.object({ id: Id }),
  output: OrganizationState,
  run: ({ db, input }) => stateOf(db, input.id),
})

export const getAdminOrganization = operation({
  route: 'GET /api/internal/admin-organization',
  summary: 'Get the organization of the super admins',
  permission: 'service',
  input: z.object({}),
  output: PlatformOrganization,
  run: async ({ db }) => ({ id: await adminOrganizationId(db) }),
})

export const listNamedResources = operation({
  route: 'GET /api/internal/organizations/:id/names',
  summary: 'List API keys and bindable resources by ID',
  permission: 'service',
  input: NamesQuery,
  output: listOf(NamedResource),
  run: async ({ db, input }) => ({ items: await listNames(db, input.id, input.ids), nextCursor: null }),
})
