import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { LogoQuery, logoUpload, LogoUpload, streamLogo } from '#lib/images/logo.ts'
import { operation } from '#lib/operation.ts'
import { comesFrom } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { BrandSettingsWithLogo } from '#views/social/brands/brand.tsx'
import { firstBrandPath } from '#views/social/brands/first-brand-step.tsx'
import { Brand } from '../../contract.ts'
import type { BrandRow } from '../brands.ts'
import { detailsOfChanged } from '../details.ts'
import { readLogo, removeLogo, setLogo } from './logo.ts'

async function replyWith(call: Call<unknown, Actor>, row: BrandRow, toast: string) {
  const brand = await detailsOfChanged(call, row)
  // Setting up has no section of its own to change.
  const leavesPage = comesFrom(call, '/onboarding')
  return reply(200, brand, { next: leavesPage ? firstBrandPath : `/workspace/brands/${brand.id}`, leavesPage, toast })
}

export const updateBrandLogo = operation({
  route: 'PUT /api/brands/:id/logo',
  summary: 'Update a brand’s logo',
  permission: 'brands:write',
  machine: true,
  input: LogoUpload,
  output: Brand,
  ...logoUpload,
  run: async (call) => replyWith(call, await setLogo(call), 'Logo updated'),
  view: (brand) => <BrandSettingsWithLogo brand={brand} />,
})

export const deleteBrandLogo = operation({
  route: 'DELETE /api/brands/:id/logo',
  summary: 'Remove a brand’s logo',
  permission: 'brands:write',
  machine: true,
  input: z.object({ id: Id }),
  output: Brand,
  run: async (call) => replyWith(call, await removeLogo(call), 'Logo removed'),
  view: (brand) => <BrandSettingsWithLogo brand={brand} />,
})

export const getBrandLogo = operation({
  route: 'GET /api/brands/:id/logo',
  summary: 'Download a brand’s logo',
  permission: 'posts:read',
  input: LogoQuery,
  output: z.null(),
  streams: 'image/webp',
  ranges: true,
  run: async (call) => streamLogo(await readLogo(call, call.input.id), call.input.sha256),
})
