import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { hasAccounts as anyAccount, namesOf } from './accounts.ts'
import { adminOrganizationId } from '../admin/admin-organization.ts'
import { stateOf } from '../admin/suspended.ts'
import { listNames } from '../organizations/bindable-resources/names.ts'
import { listAudience } from '../organizations/permissions/audience.ts'
import { listHolders } from '../organizations/permissions/holders.ts'
import { Code } from '../sign-in/second-factor/contract.ts'
import { verifySecondFactorOf } from '../sign-in/second-factor/proof.ts'
import { listLiveSessions } from '../sign-in/live-sessions.ts'
import { isMember } from '../organizations/members/is-member.ts'
import { memberAccess } from '../organizations/members/member-access.ts'
import {
  AccountsStatus,
  Audience,
  AudienceQuery,
  HoldersQuery,
  LiveSession,
  PlatformOrganization,
  MemberAccess,
  MemberState,
  NamedResource,
  NamesQuery,
  OrganizationState,
  PeopleQuery,
  PermissionHolder,
  Person,
  SecondFactorProof,
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

export const getMemberAccess = operation({
  route: 'GET /api/internal/organizations/:id/members/:userId/access',
  summary: 'Get what a member can do',
  permission: 'service',
  input: z.object({ id: Id, userId: Id }),
  output: MemberAccess,
  run: ({ db, input }) => memberAccess(db, input.id, input.userId),
})

export const listPermissionHolders = operation({
  route: 'GET /api/internal/organizations/:id/permission-holders',
  summary: 'List people who hold a permission',
  permission: 'service',
  input: HoldersQuery,
  output: listOf(PermissionHolder),
  run: async ({ db, input }) => ({ items: await listHolders(db, input), nextCursor: null }),
})

export const listOrganizationAudience = operation({
  route: 'GET /api/internal/organizations/:id/audience',
  summary: 'List people with what they can see',
  permission: 'service',
  callers: ['platform-dashboard-api'],
  input: AudienceQuery,
  output: Audience,
  run: ({ db, input }) => listAudience(db, input),
})

export const listSessionsById = operation({
  route: 'GET /api/internal/sessions',
  summary: 'List active sessions by ID',
  permission: 'service',
  callers: ['platform-dashboard-api'],
  input: PeopleQuery,
  output: listOf(LiveSession),
  run: async ({ db, input, now }) => ({ items: await listLiveSessions(db, input.ids, now()), nextCursor: null }),
})

export const proveSecondFactor = operation({
  route: 'PUT /api/internal/users/:id/second-factor-proof',
  summary: 'Verify a code of a user’s second factor',
  permission: 'service',
  callers: ['platform-pay'],
  input: z.object({ id: Id, code: Code }),
  output: SecondFactorProof,
  transaction: false,
  problems: { too_many_codes: 429 },
  run: async (call) => {
    await verifySecondFactorOf(call, call.input)
    return { verified: true as const }
  },
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
