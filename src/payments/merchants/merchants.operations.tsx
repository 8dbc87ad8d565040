import { z } from 'zod'
import { organizationOf } from '#lib/authorize.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { MerchantForm } from '#views/payments/merchants/dialogs.tsx'
import { Merchant, MerchantDraft, MerchantEdit, MerchantFilter, MerchantList } from '../contract/merchants.ts'
import { editedVersions, versioned } from '../version.ts'
import * as merchants from './merchants.ts'
import { findMerchant, listMerchantRows } from './read.ts'
import { mayIn } from './rights.ts'
import { describeMerchant } from './rows.ts'
import { drawMerchants } from './draw-merchants.tsx'

const next = '/pay/merchants'

export const listMerchants = operation({
  route: 'GET /api/merchants',
  summary: 'List merchants',
  permission: 'merchants:read',
  machine: true,
  input: MerchantFilter,
  output: MerchantList,
  run: (call) => listMerchantRows(call, call.input),
  view: (list, call) => drawMerchants(call, list, call.input),
})

export const createMerchant = operation({
  route: 'POST /api/merchants',
  summary: 'Create a merchant',
  permission: 'merchants:write',
  machine: true,
  creates: true,
  input: MerchantDraft,
  output: Merchant,
  example: { name: 'Acme Coffee GmbH', address: { city: 'Berlin', country: 'DE' }, taxNumber: 'DE811569869' },
  problems: { too_many_merchants: 409 },
  run: async (call) => {
    const row = await merchants.createMerchant(call, call.input)
    return reply(201, describeMerchant(row, true), { next, toast: 'Merchant created' })
  },
})

export const getMerchant = operation({
  route: 'GET /api/merchants/:id',
  summary: 'Get a merchant',
  permission: 'merchants:read',
  machine: true,
  input: z.object({ id: Id }),
  output: Merchant,
  run: async (call) => {
    const row = await findMerchant(call.db, organizationOf(call.actor, 'merchants:read'), call.input.id)
    return versioned(describeMerchant(row, await mayIn(call, 'merchants:write')))
  },
  view: (merchant) => <MerchantForm merchant={merchant} />,
})

export const updateMerchant = operation({
  route: 'PATCH /api/merchants/:id',
  summary: 'Update a merchant',
  permission: 'merchants:write',
  machine: true,
  ifMatch: true,
  input: MerchantEdit,
  output: Merchant,
  example: { name: 'Acme Coffee GmbH' },
  problems: { version_conflict: 409 },
  run: async (call) => {
    const row = await merchants.updateMerchant(call, call.input, editedVersions(call))
    return versioned(describeMerchant(row, true), { next, toast: 'Saved' })
  },
})

export const setDefaultMerchant = operation({
  route: 'PUT /api/merchants/:id/default',
  summary: 'Set the default merchant',
  permission: 'merchants:write',
  machine: true,
  input: z.object({ id: Id }),
  output: Merchant,
  problems: { merchant_archived: 409 },
  run: async (call) => {
    const row = await merchants.setDefaultMerchant(call, call.input.id)
    return versioned(describeMerchant(row, true), { next, toast: `${row.name} is the default` })
  },
})

export const archiveMerchant = operation({
  route: 'POST /api/merchants/:id/archive',
  summary: 'Archive a merchant',
  permission: 'merchants:write',
  machine: true,
  input: z.object({ id: Id }),
  output: Merchant,
  problems: { merchant_default: 409 },
  run: async (call) => {
    const row = await merchants.archiveMerchant(call, call.input.id)
    return versioned(describeMerchant(row, true), { next, toast: 'Merchant archived' })
  },
})

export const restoreMerchant = operation({
  route: 'POST /api/merchants/:id/restore',
  summary: 'Restore an archived merchant',
  permission: 'merchants:write',
  machine: true,
  input: z.object({ id: Id }),
  output: Merchant,
  run: async (call) => {
    const row = await merchants.restoreMerchant(call, call.input.id)
    return versioned(describeMerchant(row, true), { next, toast: 'Merchant restored' })
  },
})
