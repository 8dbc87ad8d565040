import { expect, test } from 'bun:test'
import type { Problem } from '#lib/errors.ts'
import { createTurns } from '#lib/turns.ts'

const bounds = {
  lanes: 2,
  waiting: 3,
  bytes: 100,
  tenantBytes: 70,
  refusals: {
    tooMany: { code: 'too_many_uploads', detail: 'Too many of yours.' },
    busy: { code: 'uploads_busy', detail: 'Too many.' },
  },
}

/** Turns whose work ends on the test's command. */
function stage({ waitMs = 60_000, ...own }: Partial<typeof bounds> & { waitMs?: number } = {}) {
  const turns = createTurns({ ...bounds, ...own })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const take = (tenant: string, name: string, bytes = 1) =>
    turns.take({ tenant, bytes, waitMs }, async () => {
      started.push(name)
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.set(name, resolve)
      await promise
      return name
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await Bun.sleep(0)
  }
  return { turns, take, started, end }
}

const refusal = (taking: Promise<unknown>) =>
  taking.then(
    () => null,
    ({ status, code, options }: Problem) => [status, code, options.headers?.['Retry-After']],
  )

test('SOC-30 tenant with many images uses one slot, and images of others are processed in between', async () => {
  const { take, started, end } = stage()
  const all = ['a1', 'a2', 'a3'].map((name) => take('a', name))
  all.push(take('b', 'b1'), take('c', 'c1'), take('b', 'b2'))
  await Bun.sleep(0)
  expect(started).toEqual(['a1', 'b1'])
  await end('b1')
  expect(started).toEqual(['a1', 'b1', 'c1'])
  await end('a1')
  await end('c1')
  await end('a2')
  await end('b2')
  await end('a3')
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'b2'])
})

test('SOC-30 tenant with a full queue gets Retry-After; others are not affected', async () => {
  const { take, started, end } = stage()
  const all = ['a1', 'a2', 'a3', 'a4'].map((name) => take('a', name))
  expect(await refusal(take('a', 'a5'))).toEqual([429, 'too_many_uploads', '5'])
  all.push(take('b', 'b1'))
  await Bun.sleep(0)
  expect(started).toEqual(['a1', 'b1'])
  await end('a1')
  all.push(take('a', 'a6'))
  for (const name of ['a2', 'a3', 'a4', 'a6', 'b1']) await end(name)
  expect(await Promise.all(all)).toHaveLength(6)
})

test('SOC-30 waiting images are limited in size and time, and then free their place in the queue', async () => {
  const { take, started, end } = stage({ lanes: 1, waitMs: 20 })
  const first = take('a', 'a1')
  const late = refusal(take('b', 'b1', 60))
  expect(await refusal(take('c', 'c1', 60))).toEqual([503, 'uploads_busy', '5'])
  expect(await late).toEqual([503, 'uploads_busy', '5'])
  const next = take('c', 'c2', 60)
  await end('a1')
  await end('c2')
  expect([await first, await next, started]).toEqual(['a1', 'c2', ['a1', 'c2']])
})

test('SOC-30 images of one tenant can use only a part of the memory', async () => {
  const { take, started, end } = stage({ lanes: 1 })
  const all = [take('x', 'x1'), take('a', 'a1', 40)]
  expect(await refusal(take('a', 'a2', 40))).toEqual([429, 'too_many_uploads', '5'])
  all.push(take('b', 'b1', 60))
  for (const name of ['x1', 'a1', 'b1']) await end(name)
  // A large image is accepted when it is the only one.
  all.push(take('y', 'y1'), take('a', 'a3', 90))
  await Bun.sleep(0)
  for (const name of ['y1', 'a3']) await end(name)
  expect(await Promise.all(all)).toHaveLength(5)
  expect(started).toEqual(['x1', 'a1', 'b1', 'y1', 'a3'])
})

test('SOC-30 first image of a tenant replaces the newest image of the tenant with the most when the memory is full', async () => {
  const { take, started, end } = stage({ lanes: 1 })
  const all = [take('x', 'x1'), take('a', 'a1', 30)]
  const newest = refusal(take('a', 'a2', 30))
  all.push(take('b', 'b1', 35), take('c', 'c1', 25))
  expect(await newest).toEqual([429, 'too_many_uploads', '5'])
  // No tenant has a second image to replace.
  expect(await refusal(take('d', 'd1', 20))).toEqual([503, 'uploads_busy', '5'])
  for (const name of ['x1', 'a1', 'b1', 'c1']) await end(name)
  expect(await Promise.all(all)).toHaveLength(4)
  expect(started).toEqual(['x1', 'a1', 'b1', 'c1'])
})

test('SOC-30 second image of a tenant doesn’t take another tenant’s slot', async () => {
  const { take, end } = stage({ lanes: 1 })
  const all = [take('x', 'x1'), take('a', 'a1', 25), take('a', 'a2', 25), take('b', 'b1', 45)]
  expect(await refusal(take('b', 'b2', 10))).toEqual([503, 'uploads_busy', '5'])
  for (const name of ['x1', 'a1', 'b1', 'a2']) await end(name)
  expect(await Promise.all(all)).toHaveLength(4)
})

test('SOC-30 failing work frees its slot', async () => {
  const { turns, take, end } = stage({ lanes: 1 })
  const failing = turns.take({ tenant: 'a', bytes: 1, waitMs: 60_000 }, () => Promise.reject(new Error('Broken')))
  await expect(failing).rejects.toThrow('Broken')
  const next = take('a', 'a2')
  await Bun.sleep(0)
  await end('a2')
  expect(await next).toBe('a2')
})

test('SOC-11 waiting work leaves the queue when its request is aborted', async () => {
  const { turns, take, started, end } = stage()
  const client = new AbortController()
  const first = take('a', 'a1')
  const gone = turns.take({ tenant: 'a', bytes: 1, waitMs: 60_000, signal: client.signal }, async () =>
    started.push('gone'),
  )
  const last = take('a', 'a2')
  client.abort('gone')
  await expect(gone).rejects.toBe('gone')
  await end('a1')
  await end('a2')
  expect([await first, await last, started]).toEqual(['a1', 'a2', ['a1', 'a2']])
})
