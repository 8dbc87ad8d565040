import { z } from 'zod'
import type { Provided } from '#lib/call.ts'
import type { DatabaseHandle } from '#lib/db.ts'
import { forEachSettled } from '#lib/each.ts'
import { job, type TypedJob } from '#lib/job.ts'
import type { Clock } from '#lib/time.ts'

type ErasureWork = Provided & { readonly database: DatabaseHandle; readonly now: Clock }

interface ErasureOptions {
  /** The slug of the context's service. */
  service: string
  /** Queue name. */
  name: string
  /** Erases all that the context keeps of an organization. It is called again when it throws or breaks off. */
  erase(work: ErasureWork, organizationId: string): Promise<void>
}

/** Organizations that are erased at a time: one whose networks don't respond must not hold up the others. */
const concurrency = 4

/**
 * The job by which a context erases what it keeps of organizations: it asks identity which, erases each, and reports that.
 * Identity erases an organization itself when every service has reported it.
 */
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
