import type { JobResult } from 'pg-boss'

export interface FetchedJob {
  id: string
  data: unknown
}

export interface Work {
  parse(data: unknown): Promise<unknown>
  run(input: unknown): Promise<void>
  onFailure(job: FetchedJob, error: unknown): Error
}

/** Failures in a row after which the cause is assumed to be outside of the jobs. */
const maxInARow = 3

/**
 * A failed batch is run again one by one. After three failures in a row the rest fail without a run, and are retried.
 */
export async function runBatch(jobs: readonly FetchedJob[], { parse, run, onFailure }: Work): Promise<JobResult[]> {
  const results: JobResult[] = []
  const fail = (job: FetchedJob, error: unknown) =>
    void results.push({ id: job.id, status: 'failed', output: { message: onFailure(job, error).message } })
  const done = (job: FetchedJob) => void results.push({ id: job.id, status: 'completed' })

  const ready: { job: FetchedJob; input: unknown }[] = []
  for (const job of jobs) {
    await parse(job.data).then(
      (input) => ready.push({ job, input }),
      (error: unknown) => fail(job, error),
    )
  }
  const inputs = ready.map(({ input }) => input)
  const whole = inputs.length > 0 ? await outcomeOf(() => run(inputs)) : null
  let inARow = 0
  for (const { job, input } of ready) {
    const isDone = whole === null
    const outcome = isDone || inARow >= maxInARow || ready.length === 1 ? whole : await outcomeOf(() => run([input]))
    inARow = outcome === null ? 0 : inARow + 1
    if (outcome) fail(job, outcome.error)
    else done(job)
  }
  return results
}

const outcomeOf = (run: () => Promise<void>): Promise<{ error: unknown } | null> =>
  run().then(
    () => null,
    (error: unknown) => ({ error }),
  )
