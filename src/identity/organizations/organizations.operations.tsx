import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { comesFrom } from '#lib/page.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { OrganizationList } from '#views/identity/organizations/workspaces.tsx'
import { OrganizationSection, RenamedOrganization } from '#views/identity/organizations/organization-settings.tsx'
import { SecondFactorRequired } from '#views/identity/sign-in/second-factor/second-factor-required.tsx'
import { Organization, OrganizationDetail, OrganizationEdit, OwnOrganization } from '../contract.ts'
import { getProofMethods } from '../sign-in/second-factor/second-factor.operations.tsx'
import * as organizations from './organizations.ts'

export const listOrganizations = operation({
  route: 'GET /api/organizations',
  summary: 'List your organizations',
  permission: 'signed-in',
  personal: false,
  input: z.object(paging),
  output: listOf(OwnOrganization),
  run: (call) => organizations.listOrganizations(call, call.input),
  view: ({ items, nextCursor }, { actor }) => (
    <OrganizationList organizations={items} nextCursor={nextCursor} isPersonal={actor.organization === null} />
  ),
})

export const getOrganization = operation({
  route: 'GET /api/organizations/:id',
  summary: 'Get an organization',
  permission: 'signed-in',
  personal: false,
  input: z.object({ id: Id }),
  output: OrganizationDetail,
  run: (call) => organizations.getOrganizationDetail(call, call.input.id),
  view: (organization) => <OrganizationSection organization={organization} />,
})

export const updateOrganization = operation({
  route: 'PUT /api/organizations/:id',
  summary: 'Update an organization',
  permission: 'role:owner',
  input: OrganizationEdit,
  output: Organization,
  example: { name: 'Acme Coffee' },
  problems: { slug_taken: 409, slug_not_changeable: 409 },
  run: async (call) => {
    const organization = await organizations.updateOrganization(call, call.input)
    if (comesFrom(call, '/onboarding')) return reply(200, organization, { next: '/onboarding', leavesPage: true })
    const next = call.input.requiresSecondFactor === undefined ? '/settings/organization' : '/settings/sign-in'
    return reply(200, organization, { next, toast: 'Organization updated' })
  },
  // The page has a form for the requirement, and one for the name and slug.
  view: async (_, call) => {
    const { id, requiresSecondFactor } = call.input
    const organization = await call.ask(getOrganization, { id })
    if (requiresSecondFactor !== undefined) return <SecondFactorRequired organization={organization} />
    return <RenamedOrganization organization={organization} ways={await call.ask(getProofMethods, {})} />
  },
})
