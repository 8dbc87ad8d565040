import { z } from 'zod'
import { forgetIdempotencyKeys } from './idempotency.ts'
import { job } from './job.ts'
import { forgetAllowances } from './limits.ts'
import { forgetActions } from './raised-actions.ts'
import { forgetLiveTokens } from './live/tokens.ts'

/** Deletes what the kernel kept for a while: answers to be replayed, allowances whose window is over, unused live tokens. */
export const forgetSpent = job({
  name: 'platform.forget-spent',
  input: z.object({}),
  run: async ({ database: { db }, now }) => {
    await forgetIdempotencyKeys(db, now())
    await forgetAllowances(db)
    await forgetActions(db, now())
    await forgetLiveTokens(db, now())
  },
})
