import { z } from 'zod'
import { organizationOf } from '#lib/authorize.ts'
import { operation } from '#lib/operation.ts'
import { VenueSales } from '../contract/merchants.ts'
import { readSales } from './sales.ts'

export const getMerchantSales = operation({
  route: 'GET /api/merchants/sales',
  summary: 'Get sales by merchant and venue',
  permission: 'payments:read',
  machine: true,
  input: z.object({}),
  output: VenueSales,
  run: (call) => readSales(call, organizationOf(call.actor, 'payments:read')),
})
