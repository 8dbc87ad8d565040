import { expect, test } from 'bun:test'
import { Places } from '../../src/social/publishing/places.ts'

/** Claims posts of a host as long as there is room, each of which goes to rest at once; at most `limit`. */
function fill(places: Places, host: string, limit: number) {
  const stop = new AbortController()
  const made: { leave(): void; resting: Promise<void> }[] = []
  while (made.length < limit && places.free() > 0 && (places.freeByHost()[host] ?? 1) > 0) {
    const place = places.take(host)
    made.push({ leave: () => place.leave(), resting: place.rest(600_000, stop.signal) })
  }
  const end = async () => {
    stop.abort()
    await Promise.all(made.map(({ resting }) => resting))
    for (const { leave } of made) leave()
  }
  return { made, end }
}

test('SOC-25 posts that wait for their next try have a bound per host', async () => {
  const places = new Places(() => {})
  const { made, end } = fill(places, 'down.example', 5_000)
  expect([made.length, places.freeByHost()['down.example'], places.free()]).toEqual([256, 0, 256])
  made[0]?.leave()
  made[0]?.leave()
  expect(places.freeByHost()['down.example']).toBe(1)
  await end()
  expect([places.freeByHost(), places.free()]).toEqual([{}, 256])
})

test('SOC-25 posts that wait for their next try have a bound over all hosts', async () => {
  const places = new Places(() => {})
  const filled = Array.from({ length: 10 }, (_, at) => fill(places, `down-${at}.example`, 200))
  expect([filled.reduce((sum, { made }) => sum + made.length, 0), places.free()]).toEqual([1_024, 0])
  await Promise.all(filled.map(({ end }) => end()))
  expect(places.free()).toBe(256)
})
