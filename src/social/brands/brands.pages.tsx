import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { BrandPage, type BrandPageProps } from '#views/social/brands/brand.tsx'
import { Brands } from '#views/social/brands/brands.tsx'
import { NoBrand } from '#views/social/brands/no-brand.tsx'
import { rememberBrand } from '../http/current-brand.ts'
import { getBrand, listBrands, listBrandTransferTargets } from './brands.operations.tsx'

/** More than most organizations have; the page loads further brands on request. */
const pageSize = 100

export const brandsPage = page({
  path: '/workspace/brands',
  permission: 'posts:read',
  query: z.object({ cursor: Cursor }),
  screen: 'milestones',
  title: 'Brands',
  icon: 'megaphone',
  load: (call) => call.ask(listBrands, { limit: pageSize, cursor: call.input.cursor }),
  view: (list) => (list.total > 0 ? <Brands {...list} /> : <NoBrand canCreateBrand={list.can.create} />),
})

export const brandPage = page({
  path: '/workspace/brands/:id',
  permission: 'posts:read',
  query: z.object({ id: Id }),
  screen: 'settings',
  title: ({ brand }: BrandPageProps) => brand.name,
  load: async (call) => {
    const { id } = call.input
    const [brand, targets] = await Promise.all([
      call.ask(getBrand, { id }),
      call.ask(listBrandTransferTargets, { brandId: id }),
    ])
    return reply(200, { brand, targets: targets.items }, rememberBrand(call, id))
  },
  view: (props) => <BrandPage {...props} />,
})
