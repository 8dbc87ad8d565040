import { z } from 'zod'
import { notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { reply, type Reply } from '#lib/reply.ts'
import { BrandSettings, type BrandSettingsProps } from '#views/social/brand.tsx'
import { Brands, type BrandsProps } from '#views/social/brands.tsx'
import { NoBrand, type NoBrandProps } from '#views/social/no-brand.tsx'
import { may } from '../may.ts'
import { rememberBrand, replyWithoutBrand } from '../http/current-brand.ts'
import { overview } from './overview.ts'
import { otherOrganizations } from './transfer.ts'

export const brandsPage = page({
  path: '/workspace/brands',
  permission: 'posts:read',
  query: z.object({}),
  title: 'Brands',
  icon: 'megaphone',
  load: async (call): Promise<Reply<BrandsProps | NoBrandProps>> => {
    const brands = await overview(call.db, call.actor)
    if (brands.length === 0) return replyWithoutBrand(call)
    return reply(200, { brands, mayWrite: await may(call, 'brands:write') })
  },
  view: (shown) => ('brands' in shown ? <Brands {...shown} /> : <NoBrand {...shown} />),
})

export const brandPage = page({
  path: '/workspace/brands/:id',
  permission: 'posts:read',
  query: z.object({ id: Id }),
  title: ({ brand }: BrandSettingsProps) => brand.name,
  load: async (call) => {
    const brand = (await overview(call.db, call.actor)).find(({ id }) => id === call.input.id)
    if (!brand) throw notFound('brand')
    const mayWrite = await may(call, 'brands:write')
    const targets = mayWrite ? await otherOrganizations(call) : []
    return reply(200, { brand, mayWrite, targets }, rememberBrand(call, brand.id))
  },
  view: (shown) => <BrandSettings {...shown} />,
})
