import { expect, test } from 'bun:test'
import { createSlots } from '../../src/lib/outbound/slots.ts'

test('caller that aborts while it gets its slot doesn’t lose the slot', async () => {
  const slots = createSlots(1)
  const both = new AbortController()
  const running = await slots.take(both.signal)
  // As in a call: the slot is freed on abort before waiting calls are notified.
  both.signal.addEventListener('abort', running)
  const aborted = slots.take(both.signal).then((giveBack) => giveBack())
  const waiting = slots.take(new AbortController().signal)
  both.abort()
  await aborted.catch(() => {})
  const giveBack = await waiting
  giveBack()
  ;(await slots.take(AbortSignal.timeout(1_000)))()
})

test('callers that abort while they wait don’t change the order of the others', async () => {
  const slots = createSlots(1)
  const first = await slots.take(new AbortController().signal)
  const leaving = new AbortController()
  const order: string[] = []
  const second = slots.take(leaving.signal)
  const rest = ['third', 'fourth'].map(async (name) => {
    const giveBack = await slots.take(new AbortController().signal)
    order.push(name)
    giveBack()
  })
  leaving.abort(new Error('The client went away'))
  await expect(second).rejects.toThrow('The client went away')
  first()
  await Promise.all(rest)
  expect(order).toEqual(['third', 'fourth'])
})

test('tenants with as many slots as they can get leave one to the next tenant', () => {
  const slots = createSlots(8)
  const takeAll = (tenant: string) => {
    const taken = []
    for (let slot = slots.takeShare(tenant); slot; slot = slots.takeShare(tenant)) taken.push(slot)
    return taken
  }
  const first = takeAll('first')
  expect(first).toHaveLength(4)
  expect(takeAll('second')).toHaveLength(2)
  expect(takeAll('third')).toHaveLength(1)
  for (const giveBack of [...first, ...first]) giveBack()
  expect(takeAll('fourth')).toHaveLength(3)
})
