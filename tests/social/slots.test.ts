import { expect, test } from 'bun:test'
import { Slots } from '../../src/social/publishing/slots.ts'
import { eventually } from '../boot/program.ts'

/** Claims posts while there is room, each of which pauses at once; at most `limit`. */
function fill(places: Slots, host: string, limit: number, organizationId = host) {
  const stop = new AbortController()
  const made: { leave(): void; resting: Promise<void> }[] = []
  const hasRoom = () =>
    places.free() > 0 && (places.freeByHost()[host] ?? 1) > 0 && (places.freeByOrganization()[organizationId] ?? 1) > 0
  while (made.length < limit && hasRoom()) {
    const place = places.take({ host, organizationId })
    made.push({ leave: () => place.release(), resting: place.rest(600_000, stop.signal) })
  }
  const end = async () => {
    stop.abort()
    await Promise.all(made.map(({ resting }) => resting))
    for (const { leave } of made) leave()
  }
  return { made, end }
}

test('SOC-25 posts that wait for their next attempt are limited per host', async () => {
  const places = new Slots(() => {})
  const { made, end } = fill(places, 'down.example', 5_000)
  expect([made.length, places.freeByHost()['down.example'], places.free()]).toEqual([256, 0, 256])
  made[0]?.leave()
  made[0]?.leave()
  expect(places.freeByHost()['down.example']).toBe(1)
  await end()
  expect([places.freeByHost(), places.freeByOrganization(), places.free()]).toEqual([{}, {}, 256])
})

test('SOC-25 posts that wait for their next attempt are limited over all hosts', async () => {
  const places = new Slots(() => {})
  const filled = Array.from({ length: 10 }, (_, at) => fill(places, `down-${at}.example`, 200))
  expect([filled.reduce((sum, { made }) => sum + made.length, 0), places.free()]).toEqual([1_024, 0])
  await Promise.all(filled.map(({ end }) => end()))
  expect(places.free()).toBe(256)
})

test('SOC-25 posts that wait for their next attempt are limited per organization, over all its hosts', async () => {
  const places = new Slots(() => {})
  const filled = Array.from({ length: 10 }, (_, at) => fill(places, `down-${at}.example`, 200, 'acme'))
  expect(filled.reduce((sum, { made }) => sum + made.length, 0)).toBe(256)
  expect([places.freeByOrganization(), places.free()]).toEqual([{ acme: 0 }, 256])
  await Promise.all(filled.map(({ end }) => end()))
  expect([places.freeByOrganization(), places.free()]).toEqual([{}, 256])
})

test('SOC-25 a post waits after its pause while its organization uses all its places', async () => {
  const places = new Slots(() => {})
  const stop = new AbortController()
  const resting = places.take({ host: 'first.example', organizationId: 'acme' })
  const back = resting.rest(0, stop.signal).then(() => 'back')
  const others = Array.from({ length: 64 }, (_, at) => places.take({ host: `h-${at}`, organizationId: 'acme' }))
  await Bun.sleep(20)
  expect([await Promise.race([back, 'waiting']), places.free()]).toEqual(['waiting', 192])
  others[0]?.release()
  expect(await back).toBe('back')
  expect([places.freeByOrganization(), places.free()]).toEqual([{ acme: 0 }, 192])
})

/** Whether a post has a place again after its pause. */
function returning(places: Slots, origin: Parameters<Slots['take']>[0]) {
  const state = { isBack: false }
  void places
    .take(origin)
    .rest(0, new AbortController().signal)
    .then(() => (state.isBack = true))
  return state
}

test('SOC-25 an organization gets a place of a host beyond its quarter only while a quarter stays free for others', async () => {
  const places = new Slots(() => {})
  const acme = { host: 'shared.example', organizationId: 'acme' }
  const [second, first] = [returning(places, acme), returning(places, acme)]
  const held = Array.from({ length: 24 }, () => places.take(acme))
  const other = returning(places, { host: 'shared.example', organizationId: 'umbrella' })
  expect(await eventually(() => other.isBack)).toBe(true)
  expect([first.isBack, second.isBack, places.takenByShare()]).toEqual([
    false,
    false,
    { 'shared.example acme': 24, 'shared.example umbrella': 1 },
  ])
  held[0]?.release()
  expect(places.takenByShare()).toMatchObject({ 'shared.example acme': 23 })
  held[1]?.release()
  expect(places.takenByShare()).toMatchObject({ 'shared.example acme': 23 })
  expect(await eventually(() => second.isBack || first.isBack)).toBe(true)
})

test('SOC-25 a released slot is given to the post that waits for its host or its organization', async () => {
  const places = new Slots(() => {})
  const ofHost = returning(places, { host: 'h', organizationId: 'umbrella' })
  const ofOrganization = returning(places, { host: 'other', organizationId: 'acme' })
  const left = places.take({ host: 'h', organizationId: 'acme' })
  for (let at = 0; at < 31; at++) places.take({ host: 'h', organizationId: `o-${at}` })
  for (let at = 0; at < 63; at++) places.take({ host: `h-${at}`, organizationId: 'acme' })
  await Bun.sleep(20)
  expect([ofHost.isBack, ofOrganization.isBack]).toEqual([false, false])
  left.release()
  expect(await eventually(() => ofHost.isBack && ofOrganization.isBack)).toBe(true)
})

test('SOC-25 due posts are looked for as soon as a claimed post releases its place for a pause', () => {
  let looks = 0
  const places = new Slots(() => void looks++)
  const [resting] = Array.from({ length: 32 }, () => places.take({ host: 'h', organizationId: 'acme' }))
  const stop = new AbortController()
  expect(looks).toBe(0)
  void resting?.rest(600_000, stop.signal)
  expect([looks, places.freeByHost()]).toEqual([1, { h: 1 }])
  stop.abort()
})
