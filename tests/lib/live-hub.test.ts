import { expect, test } from 'bun:test'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { createLiveHub, type Member } from '#lib/live/hub.ts'
import type { ServerFrame } from '#lib/live/protocol.ts'
import { topic } from '#lib/topic.ts'
import { eventually } from '../boot/program.ts'
import { actor } from './kernel.tsx'

const notes = topic({
  name: 'notes',
  permission: 'notes:read',
  event: 'note',
  payload: z.object({ id: z.string() }),
  idOf: ({ id }) => id,
  authorize: async () => {},
})

function openHub() {
  const gaps: (() => void)[] = []
  const hear: ((payload: { id: string }) => void)[] = []
  const hub = createLiveHub({
    topics: [notes],
    events: { subscribe: (_, __, act) => void hear.push(act as never), onGap: (act) => void gaps.push(act) },
  })
  return {
    hub,
    change: (id: string) => hear.forEach((act) => act({ id })),
    miss: () => gaps.forEach((act) => act()),
  }
}

function memberOf(who: Actor = actor) {
  const frames: ServerFrame[] = []
  let rechecks = 0
  const member: Member = {
    actor: who,
    topics: new Set(),
    send: (frame) => void frames.push(frame),
    recheck: () => void (rechecks += 1),
  }
  return { member, frames, rechecks: () => rechecks }
}

test('DSH-21 changes at once are one message, to followers alone', async () => {
  const { hub, change } = openHub()
  const one = memberOf()
  const other = memberOf()
  for (const { member } of [one, other]) hub.join(member)
  for (const name of ['notes:1', 'notes:2']) hub.follow(one.member, name)
  hub.follow(other.member, 'notes:3')
  for (const id of ['1', '2', '1', '4']) change(id)
  expect(await eventually(() => one.frames.length > 0)).toBe(true)
  expect(one.frames).toEqual([{ type: 'invalidate', topics: ['notes:1', 'notes:2'] }])
  expect(other.frames).toEqual([])
  hub.close()
})

test('DSH-21 after a gap in the news everyone is told to read again, and is rechecked', () => {
  const { hub, miss } = openHub()
  const { member, frames, rechecks } = memberOf()
  hub.join(member)
  hub.follow(member, 'notes:1')
  const before = performance.now()
  expect(hub.changedSince('notes:1', before)).toBe(false)
  miss()
  expect(frames).toEqual([{ type: 'resync' }])
  expect(rechecks()).toBe(1)
  expect(hub.changedSince('notes:1', before - 1)).toBe(true)
  expect(hub.changedSince('notes:1', performance.now() + 1)).toBe(false)
  hub.close()
})

test('DSH-21 every channel is rechecked within three ticks, and pinged at each', () => {
  const { hub } = openHub()
  const all = Array.from({ length: 5 }, () => memberOf())
  for (const { member } of all) hub.join(member)
  for (const _ of [1, 2, 3]) hub.tick()
  expect(all.map(({ rechecks }) => rechecks())).toEqual([1, 1, 1, 1, 1])
  expect(all[0]?.frames).toEqual([{ type: 'ping' }, { type: 'ping' }, { type: 'ping' }])
  hub.close()
})
