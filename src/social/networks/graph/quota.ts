import { z } from 'zod'
import { checkBy } from '../account-check.ts'
import type { AccountCheck, NetworkCall } from '../network.ts'
import { request, type GraphApi } from './api.ts'
import { interpretRefusal } from './refusal.ts'

const Quota = z.object({
  data: z.tuple([
    z.object({
      quota_usage: z.int().min(0),
      config: z.object({ quota_total: z.int().min(0) }),
    }),
  ]),
})

/** How many posts of the last 24 hours count against the account’s quota: Meta’s documents disagree about its size. */
export const checkQuota = (api: GraphApi, call: NetworkCall, path: string): Promise<AccountCheck> =>
  checkBy({
    ask: () => request(api, call, path, { query: { fields: 'quota_usage,config' } }),
    interpretRefusal: (response) => interpretRefusal(api.name, response),
    data: Quota,
    read: ({ data: [{ quota_usage: used, config }] }) => ({
      kind: 'checked',
      problem: null,
      quota: { left: Math.max(0, config.quota_total - used), total: config.quota_total },
    }),
  })
