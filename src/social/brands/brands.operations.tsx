import { z } from 'zod'
import { notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { comesFrom } from '#lib/page.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { BrandSwitcher } from '#views/social/brands/brand-switcher.tsx'
import { BrandSettings } from '#views/social/brands/brand.tsx'
import { BrandColors } from '#views/social/brands/brand-colors.tsx'
import { BrandHashtags } from '#views/social/brands/brand-hashtags.tsx'
import { ReviewPolicy } from '#views/social/brands/review-policy.tsx'
import { BrandVoice } from '#views/social/brands/brand-voice.tsx'
import { TransferTargets } from '#views/social/brands/brand-transfer.tsx'
import { BrandTable } from '#views/social/brands/brands.tsx'
import { firstBrandPath } from '#views/social/brands/first-brand-step.tsx'
import { readPermissions } from '../access.ts'
import * as brands from './brands.ts'
import { addColor, removeColor } from './colors.ts'
import { findCurrentBrand } from './current.ts'
import { detailsOfChanged, getDetails, listDetails } from './details.ts'
import * as transfer from './transfer.ts'
import {
  Brand,
  BrandColor,
  BrandDraft,
  BrandEdit,
  BrandList,
  BrandTransfer,
  CurrentBrand,
  TransferTarget,
} from '../contract.ts'

export const listBrands = operation({
  route: 'GET /api/brands',
  summary: 'List brands',
  permission: 'posts:read',
  machine: true,
  input: z.object(paging),
  output: BrandList,
  run: (call) => listDetails(call, call.input),
  view: (list) => (list.items.length > 0 ? <BrandTable {...list} /> : <></>),
})

export const getCurrentBrand = operation({
  route: 'GET /api/brands/current',
  summary: 'Get the current brand',
  permission: 'posts:read',
  input: z.object({
    brandId: Id.optional().describe('Defaults to the brand that this browser last used, or to the first by name.'),
    permission: z
      .enum(['posts:read', 'posts:write', 'calendar:read', 'dashboard:read'])
      .default('posts:read')
      .describe('Only brands in which you have this permission.'),
  }),
  output: CurrentBrand,
  run: async (call) => {
    const { brandId, permission } = call.input
    const [{ brand, brands: inMenu }, check] = await Promise.all([
      findCurrentBrand(call, call.actor, { brandId, permissions: [permission] }),
      readPermissions(call),
    ])
    if (brandId && brandId !== brand?.id) throw notFound('brand')
    return { brand, brands: inMenu, can: { createBrand: check('brands:write') } }
  },
  view: (current) => <BrandSwitcher {...current} />,
})

export const createBrand = operation({
  route: 'POST /api/brands',
  summary: 'Create a brand',
  permission: 'brands:write',
  machine: true,
  input: BrandDraft,
  output: Brand,
  creates: true,
  example: { name: 'Acme Coffee', timeZone: 'Europe/Berlin' },
  problems: { slug_taken: 409, too_many_brands: 409 },
  run: async (call) => {
    const brand = await detailsOfChanged(call, await brands.create(call, call.input))
    const next = comesFrom(call, '/onboarding') ? firstBrandPath : `/workspace/accounts?brandId=${brand.id}`
    return reply(201, brand, { next })
  },
})

export const getBrand = operation({
  route: 'GET /api/brands/:id',
  summary: 'Get a brand',
  permission: 'posts:read',
  machine: true,
  input: z.object({ id: Id }),
  output: Brand,
  run: (call) => getDetails(call, call.input.id),
  view: (brand) => <BrandSettings brand={brand} />,
})

export const updateBrand = operation({
  route: 'PUT /api/brands/:id',
  summary: 'Update a brand',
  permission: 'brands:write',
  machine: true,
  input: BrandEdit,
  output: Brand,
  example: { name: 'Acme Coffee Roasters' },
  problems: { session_required: 403, slug_taken: 409 },
  run: async (call) => {
    const { before, after } = await brands.update(call, call.input)
    const brand = await detailsOfChanged(call, after)
    return reply(200, brand, {
      next: `/workspace/brands/${brand.id}`,
      // The frame and the title of the page show both.
      leavesPage: before.name !== after.name || before.timeZone !== after.timeZone,
      toast: 'Saved',
    })
  },
  view: (brand, { input }) => <ChangedSection brand={brand} edit={input} />,
})

/** The section of the page whose form sends these fields. */
function ChangedSection({ brand, edit }: { brand: Brand; edit: BrandEdit }) {
  if (edit.voice !== undefined || edit.avoidedWords || edit.languages) return <BrandVoice brand={brand} />
  if (edit.defaultHashtags || edit.hashtagPlacements) return <BrandHashtags brand={brand} />
  if (edit.reviewPolicy) return <ReviewPolicy brand={brand} />
  return <BrandSettings brand={brand} />
}

export const addBrandColor = operation({
  route: 'POST /api/brands/:id/colors',
  summary: 'Add a color to a brand',
  permission: 'brands:write',
  machine: true,
  input: BrandColor,
  output: Brand,
  example: { color: '#0f766e' },
  run: async (call) => {
    const brand = await detailsOfChanged(call, await addColor(call))
    return reply(200, brand, { next: `/workspace/brands/${brand.id}#brand-colors`, toast: 'Color added' })
  },
  view: (brand) => <BrandColors brand={brand} />,
})

export const removeBrandColor = operation({
  route: 'DELETE /api/brands/:id/colors',
  summary: 'Remove a color from a brand',
  permission: 'brands:write',
  machine: true,
  input: BrandColor,
  output: Brand,
  run: async (call) => {
    const brand = await detailsOfChanged(call, await removeColor(call))
    return reply(200, brand, { next: `/workspace/brands/${brand.id}#brand-colors`, toast: 'Color removed' })
  },
  view: (brand) => <BrandColors brand={brand} />,
})

export const listBrandTransferTargets = operation({
  route: 'GET /api/brands/:brandId/transfer-targets',
  summary: 'List organizations to transfer a brand to',
  permission: 'posts:read',
  input: z.object({ brandId: Id }),
  output: listOf(TransferTarget),
  run: async (call) => {
    const { can } = await getDetails(call, call.input.brandId)
    return { items: can.transfer ? await transfer.listTargets(call) : [], nextCursor: null }
  },
  view: ({ items }) => <TransferTargets targets={items} />,
})

export const transferBrand = operation({
  route: 'POST /api/brands/:brandId/transfer-organization',
  summary: 'Transfer a brand to another organization',
  permission: 'brands:write',
  input: BrandTransfer,
  output: Brand,
  transaction: false,
  problems: {
    slug_taken: 409,
    too_many_brands: 409,
    workspace_suspended: 403,
    organization_requires_second_factor: 403,
    organization_requires_sso: 403,
  },
  run: async (call) => {
    const { brand, organization } = await transfer.transferBrand(call)
    return reply(200, await detailsOfChanged(call, brand), {
      next: '/workspace/brands',
      toast: `${brand.name} now belongs to ${organization.name}`,
    })
  },
})
