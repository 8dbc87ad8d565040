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
}

/** Organizations that are erased at a time: one whose networks don't respond must not hold up the others. */
const concurrency = 4

/** Identity erases an organization itself after every service has reported. */
export const erasureJob = ({ service, name, erase }: ErasureOptions): TypedJob<object> =>
  job({
    name,
    input: z.object({}),
    run: async (work) => {
      const eraseAndReport = async (id: string) => {
        await erase(work, id)
        await work.identity.reportErased(service, id)
      }
      await forEachSettled(await work.identity.organizationsToErase(service), eraseAndReport, concurrency)
    },
  })
