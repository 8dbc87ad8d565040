import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import * as brands from './brands.ts'
import { transfer } from './transfer.ts'
import { Brand, BrandDraft, BrandEdit, BrandTransfer } from '../contract.ts'

export const listBrands = operation({
  route: 'GET /api/brands',
  summary: 'List brands',
  permission: 'posts:read',
  machine: true,
  input: z.object(paging),
  output: listOf(Brand),
  run: ({ input, actor, db }) => brands.page(db, actor, input),
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
    const brand = await brands.create(call, call.input)
    return reply(201, brand, { next: `/workspace/accounts?brandId=${brand.id}` })
  },
})

export const getBrand = operation({
  route: 'GET /api/brands/:id',
  summary: 'Get a brand',
  permission: 'posts:read',
  machine: true,
  input: z.object({ id: Id }),
  output: Brand,
  run: ({ input, actor, db }) => brands.get(db, actor, input.id),
})

export const updateBrand = operation({
  route: 'PUT /api/brands/:id',
  summary: 'Update a brand',
  permission: 'brands:write',
  machine: true,
  input: BrandEdit,
  output: Brand,
  example: { name: 'Acme Coffee Roasters' },
  problems: { slug_taken: 409 },
  run: async (call) => {
    const brand = await brands.edit(call, call.input)
    return reply(200, brand, { next: `/workspace/brands/${brand.id}`, toast: `${brand.name} was changed` })
  },
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
    second_factor_needed: 403,
    own_sign_in_required: 403,
  },
  run: async (call) => {
    const { brand, organization } = await transfer(call)
    return reply(200, brand, { next: '/workspace/brands', toast: `${brand.name} now belongs to ${organization.name}` })
  },
})
