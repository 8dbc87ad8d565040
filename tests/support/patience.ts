import { availableParallelism } from 'node:os'

/** Milliseconds that the sample takes on the machine for which the limits of tests are written, with a core to itself. */
const usual = 140

/**
 * How many times longer than usual things take here: 1 on a quiet machine, more on a slow or busy one. Limits and leases
 * of tests are multiplied by it. The runner measures it once and hands it on.
 */
const patience = Number(process.env['TEST_PATIENCE'] ?? 1)

/** A limit in milliseconds that grows with `patience`. */
export const patiently = (ms: number): number => Math.round(ms * patience)

/** Measures it: the same work on every core at once, since what else is running takes its part of all of them. */
export async function measurePatience(): Promise<number> {
  const samples = Array.from({ length: availableParallelism() }, () => {
    const worker = Bun.spawn([process.execPath, import.meta.path], { stdio: ['ignore', 'pipe', 'ignore'] })
    return new Response(worker.stdout).text()
  })
  const slowest = Math.max(...(await Promise.all(samples)).map(Number))
  return Math.min(12, Math.max(1, Math.round((slowest / usual) * 10) / 10))
}

/** Milliseconds that a piece of work takes: long enough for the scheduler to give other programs their turns. */
function sample(): number {
  const start = performance.now()
  let text = 'sample'
  for (let at = 0; at < 400_000; at++) text = new Bun.CryptoHasher('sha256').update(text).digest('hex')
  return performance.now() - start
}

if (import.meta.main) {
  console.log(sample())
}
