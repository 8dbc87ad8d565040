import { z } from 'zod'
import { organizationOf } from '#lib/authorize.ts'
import { operation } from '#lib/operation.ts'
import { SpendStats } from '#views/gateway/spend-stats.tsx'
import { Spending } from '../contract/spending.ts'
import { readSpending } from './spending.ts'

export const getSpending = operation({
  route: 'GET /api/gateway/spending',
  summary: 'Get this month’s spending',
  permission: 'usage:read',
  input: z.object({}),
  output: Spending,
  run: ({ db, actor, now }) => readSpending(db, organizationOf(actor, 'usage:read'), now()),
  view: (spending) => <SpendStats spending={spending} />,
})
