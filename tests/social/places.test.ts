import { expect, test } from 'bun:test'
import { Places } from '../../src/social/publishing/places.ts'

/** Claims posts as long as there is room, each of which goes to rest at once; at most `limit`. */
function fill(places: Places, host: string, limit: number, organizationId = host) {
  const stop = new AbortController()
  const made: { leave(): void; resting: Promise<void> }[] = []
  const hasRoom = () =>
    places.free() > 0 && (places.freeByHost()[host] ?? 1) > 0 && (places.freeByOrganization()[organizationId] ?? 1) > 0
  while (made.length < limit && hasRoom()) {
    const place = places.take({ host, organizationId })
    made.push({ leave: () => place.leave(), resting: place.rest(600_000, stop.signal) })
  }
  const end = async () => {
    stop.abort()
    await Promise.all(made.map(({ resting }) => resting))
    for (const { leave } of made) leave()
  }
  return { made, end }
}

test('SOC-25 posts that wait for their next attempt are limited per host', async () => {
  const places = new Places(() => {})
  const { made, end } = fill(places, 'down.example', 5_000)
  expect([made.length, places.freeByHost()['down.example'], places.free()]).toEqual([256, 0, 256])
  made[0]?.leave()
  made[0]?.leave()
  expect(places.freeByHost()['down.example']).toBe(1)
  await end()
  expect([places.freeByHost(), places.freeByOrganization(), places.free()]).toEqual([{}, {}, 256])
})

test('SOC-25 posts that wait for their next attempt are limited over all hosts', async () => {
  const places = new Places(() => {})
  const filled = Array.from({ length: 10 }, (_, at) => fill(places, `down-${at}.example`, 200))
  expect([filled.reduce((sum, { made }) => sum + made.length, 0), places.free()]).toEqual([1_024, 0])
  await Promise.all(filled.map(({ end }) => end()))
  expect(places.free()).toBe(256)
})

test('SOC-25 posts that wait for their next attempt are limited per organization, over all its hosts', async () => {
  const places = new Places(() => {})
  const filled = Array.from({ length: 10 }, (_, at) => fill(places, `down-${at}.example`, 200, 'acme'))
  expect(filled.reduce((sum, { made }) => sum + made.length, 0)).toBe(256)
  expect([places.freeByOrganization(), places.free()]).toEqual([{ acme: 0 }, 256])
  await Promise.all(filled.map(({ end }) => end()))
  expect([places.freeByOrganization(), places.free()]).toEqual([{}, 256])
})

test('SOC-25 a post waits after its pause while its organization uses all its places', async () => {
  const places = new Places(() => {})
  const stop = new AbortController()
  const resting = places.take({ host: 'first.example', organizationId: 'acme' })
  const back = resting.rest(0, stop.signal).then(() => 'back')
  const others = Array.from({ length: 64 }, (_, at) => places.take({ host: `h-${at}`, organizationId: 'acme' }))
  await Bun.sleep(20)
  expect([await Promise.race([back, 'waiting']), places.free()]).toEqual(['waiting', 192])
  others[0]?.leave()
  expect(await back).toBe('back')
  expect([places.freeByOrganization(), places.free()]).toEqual([{ acme: 0 }, 192])
})
