import { z } from 'zod'
import type { Provided } from '#lib/call.ts'
import type { DatabaseHandle } from '#lib/db.ts'
import { forEachSettled } from '#lib/each.ts'
import { job, type TypedJob } from '#lib/job.ts'
import type { Clock } from '#lib/time.ts'

type ErasureWork = Provided & { readonly database: DatabaseHandle; readonly now: Clock }

interface ErasureOptions {
  service: string
  name: string
  /** Runs again after an error or crash. */
  erase(work: ErasureWork, organizationId: string): Promise<void>
  /** The same for people whose accounts were deleted. */
  eraseAccount(work: ErasureWork, userId: string): Promise<void>
}

/** Organizations or accounts that are erased at a time: one whose networks don't respond must not hold up the others. */
const concurrency = 4

/** Identity erases an organization or account itself after every service has reported. */
export const erasureJob = ({ service, name, erase, eraseAccount }: ErasureOptions): TypedJob<object> =>
  job({
    name,
    input: z.object({}),
    run: async (work) => {
      const { identity } = work
      const eraseOrganizations = async () =>
        forEachSettled(
          await identity.organizationsToErase(service),
          async (id) => {
            await erase(work, id)
            await identity.reportErased(service, id)
          },
          concurrency,
        )
      const eraseAccounts = async () =>
        forEachSettled(
          await identity.accountsToErase(service),
          async (id) => {
            await eraseAccount(work, id)
            await identity.reportAccountErased(service, id)
          },
          concurrency,
        )
      await forEachSettled([eraseOrganizations, eraseAccounts], (each) => each())
    },
  })
