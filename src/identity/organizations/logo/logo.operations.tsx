import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { LogoQuery, logoUpload, LogoUpload, streamLogo } from '#lib/images/logo.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { OrganizationSectionWithLogo } from '#views/identity/organizations/organization-settings.tsx'
import { Organization } from '../../contract.ts'
import { getOrganization } from '../organizations.operations.tsx'
import { readLogo, removeLogo, setLogo } from './logo.ts'

const next = '/settings/organization'

async function drawSection({ ask, input: { id } }: Call<{ id: string }>) {
  return <OrganizationSectionWithLogo organization={await ask(getOrganization, { id })} />
}

export const updateOrganizationLogo = operation({
  route: 'PUT /api/organizations/:id/logo',
  summary: 'Update an organization’s logo',
  permission: 'role:owner',
  input: LogoUpload,
  output: Organization,
  ...logoUpload,
  run: async (call) => reply(200, await setLogo(call), { next, toast: 'Logo updated' }),
  view: (_, call) => drawSection(call),
})

export const deleteOrganizationLogo = operation({
  route: 'DELETE /api/organizations/:id/logo',
  summary: 'Remove an organization’s logo',
  permission: 'role:owner',
  input: z.object({ id: Id }),
  output: Organization,
  run: async (call) => reply(200, await removeLogo(call), { next, toast: 'Logo removed' }),
  view: (_, call) => drawSection(call),
})

export const getOrganizationLogo = operation({
  route: 'GET /api/organizations/:id/logo',
  summary: 'Download an organization’s logo',
  permission: 'signed-in',
  personal: false,
  input: LogoQuery,
  output: z.null(),
  streams: 'image/webp',
  ranges: true,
  run: async (call) => streamLogo(await readLogo(call, call.input.id), call.input.sha256),
})
