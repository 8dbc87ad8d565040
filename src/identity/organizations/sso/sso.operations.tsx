import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { SingleSignOnForms } from '#views/identity/organizations/single-sign-on.tsx'
import { OrganizationSignInCard } from '#views/identity/organizations/organization-sign-in.tsx'
import { OrganizationSso, SsoDraft, SsoLookup, SsoOrganizationQuery } from './contract.ts'
import * as own from './sso.ts'

const one = z.object({ id: Id })
const back = '/settings/sign-in'

export const getSsoOrganization = operation({
  route: 'GET /api/auth/sso-organization',
  summary: 'Find an organization with single sign-on',
  permission: 'public',
  limit: 'sign-in',
  input: SsoOrganizationQuery,
  output: SsoLookup,
  run: async (call) => ({ organization: (await own.findOrganizationSignIn(call, call.input)) ?? null }),
  view: ({ organization }, { input }) => <OrganizationSignInCard organization={organization} slug={input.slug} />,
})

export const getOrganizationSso = operation({
  route: 'GET /api/organizations/:id/sign-in',
  summary: 'Get an organization’s single sign-on',
  permission: 'role:owner',
  input: one,
  output: OrganizationSso.nullable(),
  run: (call) => own.getOrganizationSso(call, call.input.id),
  view: (sso, { input }) => <SingleSignOnForms organizationId={input.id} sso={sso} />,
})

export const setOrganizationSso = operation({
  route: 'PUT /api/organizations/:id/sign-in',
  summary: 'Set up an organization’s single sign-on',
  permission: 'role:owner',
  input: SsoDraft,
  output: OrganizationSso,
  problems: { too_many_domains: 409, domain_exists: 409 },
  example: {
    issuer: 'https://login.acme.com',
    clientId: 'atrium',
    clientSecret: 'client-secret',
  },
  run: async (call) =>
    reply(200, await own.setOrganizationSso(call, call.input), { next: back, toast: 'Single sign-on updated' }),
  view: (sso, { input }) => <SingleSignOnForms organizationId={input.id} sso={sso} />,
})

export const deleteOrganizationSso = operation({
  route: 'DELETE /api/organizations/:id/sign-in',
  summary: 'Remove an organization’s single sign-on',
  permission: 'role:owner',
  input: one,
  output: z.null(),
  run: async (call) => {
    await own.deleteOrganizationSso(call, call.input.id)
    return reply(204, null, { next: back, toast: 'Single sign-on removed' })
  },
  view: (_, { input }) => <SingleSignOnForms organizationId={input.id} sso={null} />,
})
