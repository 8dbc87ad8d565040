import { afterEach, expect, jest, test } from 'bun:test'
import { notFound, unauthorized } from '#lib/errors.ts'
import { openChannel, type LiveDependencies } from '#lib/live/channel.ts'
import { createLiveHub } from '#lib/live/hub.ts'
import type { ServerFrame } from '#lib/live/protocol.ts'
import { eventually } from '../boot/program.ts'
import { actor } from './kernel.tsx'

afterEach(() => void jest.useRealTimers())

/** A channel on its own hub, and what its client receives. */
function open(parts: Partial<LiveDependencies> = {}) {
  const hub = createLiveHub({ topics: [], events: { subscribe: () => {}, onGap: () => {} } })
  const frames: ServerFrame[] = []
  const closed: number[] = []
  const channel = openChannel(
    {
      send: (frame) => void frames.push(frame as ServerFrame),
      close: (code) => void closed.push(code),
      authenticated: () => {},
    },
    {
      hub,
      redeem: async () => ({}),
      authenticate: async () => actor,
      authorizeTopic: async () => {},
      reportError: () => {},
      ...parts,
    },
  )
  const last = (type: ServerFrame['type']) => eventually(() => frames.at(-1)?.type === type)
  return { hub, channel, frames, closed, last, say: (frame: object) => channel.message(JSON.stringify(frame)) }
}

test('DSH-21 IDN-05 session that is revoked while its channel opens closes the channel', async () => {
  const lookups = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<typeof actor>()
  let requested = 0
  const { hub, say, frames, closed } = open({
    authenticate: () => {
      requested += 1
      if (requested > 1) return Promise.reject(unauthorized())
      lookups.resolve()
      return answered.promise
    },
  })
  say({ token: 'x', topics: ['notes:1'] })
  await lookups.promise
  hub.recheck(actor.credential.id)
  answered.resolve(actor)
  expect(await eventually(() => closed.length > 0 || frames.some(({ type }) => type === 'subscribed'))).toBe(true)
  // Steps run in order: once this one is done, so is the recheck, without advancing the clock.
  say({ topics: ['notes:2'] })
  const isDone = () => closed.length > 0 || JSON.stringify(frames).includes('notes:2')
  expect(await eventually(isDone)).toBe(true)
  expect(closed).toEqual([4401])
  hub.close()
})

test('DSH-21 channel with an expired credential is closed at its next recheck, within 75 seconds', async () => {
  let isExpired = false
  const { hub, say, closed, last } = open({
    authenticate: async () => {
      if (isExpired) throw unauthorized()
      return actor
    },
  })
  say({ token: 'x', topics: ['notes:1'] })
  expect(await last('subscribed')).toBe(true)
  isExpired = true
  for (let tick = 0; tick < 75; tick++) hub.tick()
  expect(await eventually(() => closed.length > 0)).toBe(true)
  expect(closed).toEqual([4401])
  hub.close()
})

test('DSH-21 topic is dropped at the channel’s next recheck once the caller can’t read it', async () => {
  let isGone = false
  const { hub, say, frames, last } = open({
    authorizeTopic: async () => {
      if (isGone) throw notFound('note')
    },
  })
  say({ token: 'x', topics: ['notes:1'] })
  expect(await last('subscribed')).toBe(true)
  isGone = true
  for (let tick = 0; tick < 75; tick++) hub.tick()
  expect(await last('dropped')).toBe(true)
  expect(frames.at(-1)).toEqual({ type: 'dropped', topics: ['notes:1'] })
  hub.close()
})

test('DSH-21 channel without a token is closed after 10 seconds', () => {
  jest.useFakeTimers()
  const { hub, closed } = open()
  jest.advanceTimersByTime(9_999)
  expect(closed).toEqual([])
  jest.advanceTimersByTime(1)
  expect(closed).toEqual([4408])
  hub.close()
})

test('DSH-21 each topic is authorized, including on a channel that already follows one', async () => {
  const { hub, say, frames, last } = open({
    authorizeTopic: async (_, topic) => {
      if (topic !== 'notes:1') throw notFound('note')
    },
  })
  say({ token: 'x', topics: ['notes:1'] })
  expect(await last('subscribed')).toBe(true)
  say({ topics: ['notes:1', 'notes:2'] })
  expect(await eventually(() => frames.filter(({ type }) => type === 'subscribed').length === 2)).toBe(true)
  expect(frames.at(-1)).toEqual({ type: 'subscribed', topics: ['notes:1'], refused: ['notes:2'] })
  hub.close()
})

test('DSH-21 number of topics that a credential’s channels can check per minute is limited, including rejected ones', async () => {
  const hub = createLiveHub({
    topics: [],
    events: { subscribe: () => {}, onGap: () => {} },
    limits: { checksPerCredential: 5 },
  })
  const authorizeTopic = async () => {
    throw notFound('note')
  }
  const [first, second] = [open({ hub, authorizeTopic }), open({ hub, authorizeTopic })]
  first.say({ token: 'x', topics: ['notes:1', 'notes:2', 'notes:3'] })
  expect(await first.last('subscribed')).toBe(true)
  second.say({ token: 'x', topics: ['notes:1', 'notes:2'] })
  expect(await second.last('subscribed')).toBe(true)
  first.say({ topics: ['notes:4'] })
  expect(await eventually(() => first.closed.length > 0)).toBe(true)
  expect(first.closed).toEqual([4429])
  for (let tick = 0; tick < 60; tick++) hub.tick()
  second.say({ topics: ['notes:5'] })
  expect(await eventually(() => JSON.stringify(second.frames).includes('notes:5'))).toBe(true)
  expect(second.closed).toEqual([])
  hub.close()
})
