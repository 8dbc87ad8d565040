import type { PgBoss } from 'pg-boss'
import type { Job } from '../job.ts'
import { runBatch, type FetchedJob, type Work } from './batch.ts'

export interface QueueSettings {
  concurrency: number
  perTenant: number | null
  batchSize: number
}

interface Workers {
  start(job: Job, work: Work): Promise<void>
  wake(name: string): void
  settings(name: string): QueueSettings | undefined
  stop(): void
}

const pollMs = 2_000
/** Seconds after which a worker looks by itself; usually `wake` makes it look earlier. */
const pollingIntervalSeconds = 60

export function createWorkers(boss: PgBoss): Workers {
  const settings = new Map<string, QueueSettings>()
  const workersOf = (name: string) => boss.getWipData().filter((worker) => worker.name === name)
  const wake = (name: string) => {
    const idle = workersOf(name).find(({ count }) => count === 0)
    if (idle) boss.notifyWorker(idle.id)
  }
  /** One of each queue, in one pass: each call of `getWipData` describes the workers of all queues. */
  const wakeAll = () => {
    const idle = new Map<string, string>()
    for (const { id, name, count } of boss.getWipData())
      if (count === 0 && settings.has(name) && !idle.has(name)) idle.set(name, id)
    for (const id of idle.values()) boss.notifyWorker(id)
  }
  let timer: ReturnType<typeof setInterval> | undefined
  /** Lets the worker that just finished look again. Workers that are still busy ignore it. */
  const keepBusy = (name: string) => {
    for (const { id, count } of workersOf(name)) if (count > 0) boss.notifyWorker(id)
  }
  return {
    start: async (job, work) => {
      const { name, concurrency = 1, perTenant } = job
      settings.set(name, { concurrency, perTenant: perTenant?.concurrency ?? null, batchSize: job.batchSize ?? 1 })
      const keepAwake =
        <Result>(act: (fetched: FetchedJob[], work: Work) => Promise<Result>) =>
        async (fetched: FetchedJob[]): Promise<Result> => {
          wake(name) // There can be more jobs for another worker.
          return act(fetched, work).finally(() => keepBusy(name))
        }
      const options = {
        localConcurrency: concurrency,
        pollingIntervalSeconds,
        ...(perTenant && { localGroupConcurrency: perTenant.concurrency }),
      }
      if (job.batchSize)
        await boss.work(name, { ...options, batchSize: job.batchSize, perJobResults: true }, keepAwake(runBatch))
      else await boss.work(name, options, keepAwake(runEach))
      timer ??= setInterval(wakeAll, pollMs)
    },
    wake,
    settings: (name) => settings.get(name),
    stop: () => clearInterval(timer),
  }
}

async function runEach(jobs: readonly FetchedJob[], { parse, run, onFailure }: Work): Promise<void> {
  for (const one of jobs)
    await parse(one.data)
      .then(run)
      .catch((error: unknown) => {
        throw onFailure(one, error)
      })
}
