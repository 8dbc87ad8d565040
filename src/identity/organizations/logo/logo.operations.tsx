import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { fileHeaders } from '#lib/file-headers.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply, stream, type FileBody } from '#lib/reply.ts'
import { OrganizationSectionWithLogo } from '#views/identity/organizations/organization-settings.tsx'
import { Organization } from '../../contract.ts'
import { getOrganization } from '../organizations.operations.tsx'
import { LogoQuery, LogoUpload, maxLogoBytes } from './contract.ts'
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
  body: { as: 'file', limit: maxLogoBytes },
  limit: 'uploads',
  // The image is drawn before anything is written.
  transaction: false,
  // Below the 60 s after which a silent connection is closed.
  timeout: ({ config }) => config.IMAGE_WAIT_MS + 25_000,
  problems: { too_many_uploads: 429, uploads_busy: 503, upload_interrupted: 503 },
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
  run: async (call) => {
    const { image, sha256 } = await readLogo(call, call.input.id)
    const caching = call.input.sha256 === sha256 ? 'private, max-age=2592000, immutable' : 'private, no-cache'
    return stream(bodyOf(image, sha256), 'image/webp', { headers: { ...fileHeaders, 'Cache-Control': caching } })
  },
})

const bodyOf = (image: Uint8Array, sha256: string): FileBody => ({
  size: image.byteLength,
  etag: `"${sha256}"`,
  stream: ({ from, end } = { from: 0, end: image.byteLength }) => new Blob([image.slice(from, end)]).stream(),
})
