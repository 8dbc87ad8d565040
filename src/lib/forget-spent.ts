import { z } from 'zod'
import { forgetIdempotencyKeys } from './idempotency.ts'
import { job } from './job.ts'
import { forgetAllowances } from './limits.ts'

/** Deletes what the kernel kept for a while: answers to be replayed, and allowances whose window is over. */
export const forgetSpent = job({
  name: 'platform.forget-spent',
  input: z.object({}),
  run: async ({ database: { db }, now }) => {
    await forgetIdempotencyKeys(db, now())
    await forgetAllowances(db)
  },
})
