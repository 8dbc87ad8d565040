import { expect, test } from 'bun:test'
import { Slots } from '../../src/social/publishing/slots.ts'
import { eventually } from '../boot/program.ts'

/** Claims posts while there is room, each of which pauses at once; at most `limit`. */
function fill(slots: Slots, host: string, limit: number, organizationId = host) {
  const stop = new AbortController()
  const made: { leave(): void; resting: Promise<void> }[] = []
  const hasRoom = () =>
    slots.free() > 0 && (slots.freeByHost()[host] ?? 1) > 0 && (slots.freeByOrganization()[organizationId] ?? 1) > 0
  while (made.length < limit && hasRoom()) {
    const slot = slots.take({ host, organizationId })
    made.push({ leave: () => slot.release(), resting: slot.rest(600_000, stop.signal) })
  }
  const end = async () => {
    stop.abort()
    await Promise.all(made.map(({ resting }) => resting))
    for (const { leave } of made) leave()
  }
  return { made, end }
}

test('SOC-25 posts that wait for their next attempt are limited per host', async () => {
  const slots = new Slots(() => {})
  const { made, end } = fill(slots, 'down.example', 5_000)
  expect([made.length, slots.freeByHost()['down.example'], slots.free()]).toEqual([256, 0, 256])
  made[0]?.leave()
  made[0]?.leave()
  expect(slots.freeByHost()['down.example']).toBe(1)
  await end()
  expect([slots.freeByHost(), slots.freeByOrganization(), slots.free()]).toEqual([{}, {}, 256])
})

test('SOC-25 posts that wait for their next attempt are limited across all hosts', async () => {
  const slots = new Slots(() => {})
  const filled = Array.from({ length: 10 }, (_, at) => fill(slots, `down-${at}.example`, 200))
  expect([filled.reduce((sum, { made }) => sum + made.length, 0), slots.free()]).toEqual([1_024, 0])
  await Promise.all(filled.map(({ end }) => end()))
  expect(slots.free()).toBe(256)
})

test('SOC-25 posts that wait for their next attempt are limited per organization, across all its hosts', async () => {
  const slots = new Slots(() => {})
  const filled = Array.from({ length: 10 }, (_, at) => fill(slots, `down-${at}.example`, 200, 'acme'))
  expect(filled.reduce((sum, { made }) => sum + made.length, 0)).toBe(256)
  expect([slots.freeByOrganization(), slots.free()]).toEqual([{ acme: 0 }, 256])
  await Promise.all(filled.map(({ end }) => end()))
  expect([slots.freeByOrganization(), slots.free()]).toEqual([{}, 256])
})

test('SOC-25 a post keeps waiting after its pause while all slots of its organization are in use', async () => {
  const slots = new Slots(() => {})
  const stop = new AbortController()
  const resting = slots.take({ host: 'first.example', organizationId: 'acme' })
  const back = resting.rest(0, stop.signal).then(() => 'back')
  const others = Array.from({ length: 64 }, (_, at) => slots.take({ host: `h-${at}`, organizationId: 'acme' }))
  await Bun.sleep(20)
  expect([await Promise.race([back, 'waiting']), slots.free()]).toEqual(['waiting', 192])
  others[0]?.release()
  expect(await back).toBe('back')
  expect([slots.freeByOrganization(), slots.free()]).toEqual([{ acme: 0 }, 192])
})

/** Whether a post has a slot again after its pause. */
function returning(slots: Slots, origin: Parameters<Slots['take']>[0]) {
  const state = { isBack: false }
  void slots
    .take(origin)
    .rest(0, new AbortController().signal)
    .then(() => (state.isBack = true))
  return state
}

test('SOC-25 an organization gets more than a quarter of a host’s slots only while a quarter stays free for others', async () => {
  const slots = new Slots(() => {})
  const acme = { host: 'shared.example', organizationId: 'acme' }
  const [second, first] = [returning(slots, acme), returning(slots, acme)]
  const held = Array.from({ length: 24 }, () => slots.take(acme))
  const other = returning(slots, { host: 'shared.example', organizationId: 'umbrella' })
  expect(await eventually(() => other.isBack)).toBe(true)
  expect([first.isBack, second.isBack, slots.takenByShare()]).toEqual([
    false,
    false,
    { 'shared.example acme': 24, 'shared.example umbrella': 1 },
  ])
  held[0]?.release()
  expect(slots.takenByShare()).toMatchObject({ 'shared.example acme': 23 })
  held[1]?.release()
  expect(slots.takenByShare()).toMatchObject({ 'shared.example acme': 23 })
  expect(await eventually(() => second.isBack || first.isBack)).toBe(true)
})

test('SOC-25 a released slot is given to the post that waits for its host or its organization', async () => {
  const slots = new Slots(() => {})
  const ofHost = returning(slots, { host: 'h', organizationId: 'umbrella' })
  const ofOrganization = returning(slots, { host: 'other', organizationId: 'acme' })
  const left = slots.take({ host: 'h', organizationId: 'acme' })
  for (let at = 0; at < 31; at++) slots.take({ host: 'h', organizationId: `o-${at}` })
  for (let at = 0; at < 63; at++) slots.take({ host: `h-${at}`, organizationId: 'acme' })
  await Bun.sleep(20)
  expect([ofHost.isBack, ofOrganization.isBack]).toEqual([false, false])
  left.release()
  expect(await eventually(() => ofHost.isBack && ofOrganization.isBack)).toBe(true)
})

test('SOC-25 scheduler looks for due posts as soon as a claimed post releases its slot for a pause', () => {
  let looks = 0
  const slots = new Slots(() => void looks++)
  const [resting] = Array.from({ length: 32 }, () => slots.take({ host: 'h', organizationId: 'acme' }))
  const stop = new AbortController()
  expect(looks).toBe(0)
  void resting?.rest(600_000, stop.signal)
  expect([looks, slots.freeByHost()]).toEqual([1, { h: 1 }])
  stop.abort()
})
