import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { DomainsSection } from '#views/identity/organizations/domains.tsx'
import { DomainDraft, DomainRef, OrganizationDomain } from './contract.ts'
import { addDomain, listDomains, removeDomain } from './domains.ts'
import { verifyDomain } from './verification.ts'

async function drawDomains(call: Call<{ id: string }>) {
  const { id } = call.input
  return <DomainsSection organizationId={id} domains={(await call.ask(listOrganizationDomains, { id })).items} />
}

export const listOrganizationDomains = operation({
  route: 'GET /api/organizations/:id/domains',
  summary: 'List email domains and their DNS records',
  permission: 'role:owner',
  input: z.object({ id: Id }),
  output: listOf(OrganizationDomain),
  run: async (call) => ({ items: await listDomains(call, call.input.id), nextCursor: null }),
  view: ({ items }, { input }) => <DomainsSection organizationId={input.id} domains={items} />,
})

export const addOrganizationDomain = operation({
  route: 'POST /api/organizations/:id/domains',
  summary: 'Add an email domain',
  permission: 'role:owner',
  input: DomainDraft,
  output: OrganizationDomain,
  creates: true,
  problems: { domain_exists: 409, too_many_domains: 409 },
  run: async (call) => reply(201, await addDomain(call, call.input), { toast: 'Domain added' }),
  view: (_, call) => drawDomains(call),
})

export const verifyOrganizationDomain = operation({
  route: 'POST /api/organizations/:id/domains/:domainId/verification',
  summary: 'Verify an email domain by its DNS record',
  permission: 'role:owner',
  limit: 'sign-in',
  input: DomainRef,
  output: OrganizationDomain,
  transaction: false,
  problems: { domain_taken: 409 },
  run: async (call) => {
    const domain = await verifyDomain(call, call.input.id, call.input.domainId)
    return reply(200, domain, domain.failure ? {} : { toast: `${domain.domain} verified` })
  },
  view: (_, call) => drawDomains(call),
})

export const removeOrganizationDomain = operation({
  route: 'DELETE /api/organizations/:id/domains/:domainId',
  summary: 'Delete an email domain',
  permission: 'role:owner',
  input: DomainRef,
  output: z.null(),
  run: async (call) => {
    await removeDomain(call, call.input.id, call.input.domainId)
    return reply(204, null, { toast: 'Domain deleted' })
  },
  view: (_, call) => drawDomains(call),
})
