import { availableParallelism } from 'node:os'

/** Milliseconds of the sample on the machine for which test limits are written, with one core to itself. */
const usualMs = 140

/**
 * How many times longer than usual everything takes here: 1 on an idle machine, more on a slow or busy one. Limits and
 * leases of tests are multiplied by it. The runner measures it once and passes it on.
 */
const timeScale = Number(process.env['TEST_PATIENCE'] ?? 1)

/** A limit in milliseconds that grows with `patience`. */
export const scaleTime = (ms: number): number => Math.round(ms * timeScale)

/** Measures it with the same work on every core at once, since other programs slow each of them. */
export async function measureTimeScale(): Promise<number> {
  const samples = Array.from({ length: availableParallelism() }, () => {
    const worker = Bun.spawn([process.execPath, import.meta.path], { stdio: ['ignore', 'pipe', 'ignore'] })
    return new Response(worker.stdout).text()
  })
  const slowest = Math.max(...(await Promise.all(samples)).map(Number))
  return Math.min(12, Math.max(1, Math.round((slowest / usualMs) * 10) / 10))
}

/** Milliseconds for a piece of work, long enough that the scheduler switches to other programs. */
function sample(): number {
  const start = performance.now()
  let text = 'sample'
  for (let at = 0; at < 400_000; at++) text = new Bun.CryptoHasher('sha256').update(text).digest('hex')
  return performance.now() - start
}

if (import.meta.main) {
  console.log(sample())
}
