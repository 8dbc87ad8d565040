import { expect, test } from 'bun:test'
import { runInQueue } from '../../src/identity/sign-in/passwords/hash-queue.ts'

test('hash queue releases its slot when the task throws before returning a promise', async () => {
  const waiter = { lane: 'strangers', who: null } as const
  const broken = (): Promise<never> => {
    throw new TypeError('No password')
  }
  for (let time = 0; time < 3; time++) await expect(runInQueue(waiter, broken)).rejects.toThrow('No password')
  expect(await runInQueue(waiter, async () => 'hashed')).toBe('hashed')
})
