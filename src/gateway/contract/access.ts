import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'
import { NanoUsd } from './nano-usd.ts'

export const GatewayAccess = z.object({
  organizationId: Id,
  service: z.string().describe('The slug of the service that the organization can use.'),
  grantedAt: Timestamp,
  created: z.boolean().describe('False if the organization already had access.'),
})

export const AttributedApp = z.object({
  id: z.string().describe('What usage calls it: an application ID, or the ID of an API key.'),
  kind: z.enum(['app', 'api_key']),
  name: z.string().nullable().describe('If the app is known.'),
  firstUsedOn: z.iso.date().describe('In UTC.'),
  lastUsedOn: z.iso.date().describe('In UTC.'),
  monthToDate: z
    .object({
      requests: z.int(),
      costNanoUsd: NanoUsd,
    })
    .describe('Since the first day of the month in UTC.'),
})

export const AttributedAppList = listOf(AttributedApp)
