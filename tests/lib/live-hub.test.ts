import { expect, test } from 'bun:test'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { createLiveHub } from '#lib/live/hub.ts'
import type { Member } from '#lib/live/member.ts'
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
  const listeners: ((payload: { id: string }) => void)[] = []
  const hub = createLiveHub({
    topics: [notes],
    limits: { perCredential: 1_000, perOrganization: 1_000 },
    events: { subscribe: (_, __, act) => void listeners.push(act as never), onGap: (act) => void gaps.push(act) },
  })
  return {
    hub,
    change: (id: string) => listeners.forEach((act) => act({ id })),
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
    recheck: async () => void (rechecks += 1),
  }
  return { member, frames, rechecks: () => rechecks }
}

test('DSH-21 simultaneous changes are sent as one message, and only to subscribers', async () => {
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

test('DSH-21 every channel gets a reload message and is rechecked after a gap in events', () => {
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

test('DSH-21 every channel is rechecked once in 75 seconds and pinged three times, even when others leave', async () => {
  const { hub } = openHub()
  const early = Array.from({ length: 74 }, () => memberOf())
  const late = Array.from({ length: 3 }, () => memberOf())
  for (const { member } of [...early, ...late]) hub.join(member)
  for (let tick = 0; tick < 75; tick++) {
    const left = early[tick]
    if (left) hub.leave(left.member)
    hub.tick()
    await Bun.sleep(0)
  }
  expect(late.map(({ rechecks }) => rechecks())).toEqual([1, 1, 1])
  expect(late[0]?.frames).toEqual([{ type: 'ping' }, { type: 'ping' }, { type: 'ping' }])
  hub.close()
})

test('DSH-21 the rechecks of 150 channels are spread over 75 seconds', async () => {
  const { hub } = openHub()
  const all = Array.from({ length: 150 }, () => memberOf())
  for (const { member } of all) hub.join(member)
  const count = () => all.reduce((sum, { rechecks }) => sum + rechecks(), 0)
  for (let tick = 1; tick <= 75; tick++) {
    hub.tick()
    await Bun.sleep(0)
    expect(count()).toBe(tick * 2)
  }
  hub.close()
})

test('DSH-21 four rechecks run at a time, revocations first, and none for closed channels', async () => {
  const { hub } = openHub()
  const order: number[] = []
  const answers: (() => void)[] = []
  const memberNamed = (nth: number, id: string): Member => ({
    actor: { ...actor, credential: { ...actor.credential, id } },
    topics: new Set(),
    send: () => {},
    recheck: () => {
      order.push(nth)
      const { promise, resolve } = Promise.withResolvers<void>()
      answers.push(resolve)
      return promise
    },
  })
  const members = Array.from({ length: 12 }, (_, nth) => memberNamed(nth, nth === 10 ? 'revoked' : 'kept'))
  for (const member of members) hub.join(member)
  const closed = members[11]
  hub.recheck()
  hub.recheck()
  expect(order).toEqual([0, 1, 2, 3])
  if (closed) hub.leave(closed)
  hub.recheck('revoked')
  while (answers.length > 0) {
    answers.shift()?.()
    await Bun.sleep(0)
    expect(answers.length).toBeLessThanOrEqual(4)
  }
  // Rechecks that were already running are repeated: their result can be older than the request.
  expect(order).toEqual([0, 1, 2, 3, 10, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3])
  hub.close()
})

test('DSH-21 an organization’s channels are limited; closing one makes room for another', () => {
  const hub = createLiveHub({
    topics: [notes],
    events: { subscribe: () => {}, onGap: () => {} },
    limits: { perCredential: 9, perOrganization: 2 },
  })
  const organization = { id: 'shared', slug: 'shared', role: 'viewer' } as const
  const memberWith = (id: string) =>
    memberOf({ ...actor, organization, credential: { ...actor.credential, id } }).member
  const first = memberWith('one')
  expect([first, memberWith('two'), memberWith('three')].map(hub.join)).toEqual([true, true, false])
  hub.leave(first)
  expect(hub.join(memberWith('three'))).toBe(true)
  hub.close()
})
