import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Problem } from '#lib/errors.ts'
import type { Upload } from '#social/types'
import { createSenders, type Senders } from '../../src/social/uploads/senders.ts'
import { eventually } from '../boot/program.ts'
import { openWorld, type Person, type World } from '../support/world.ts'

const enter = (senders: Senders, organizationId: string, personId = `of ${organizationId}`) => {
  const ended: Problem[] = []
  return { ...senders.enter({ organizationId, personId }, (problem) => void ended.push(problem)), ended }
}
const refusal = (...args: Parameters<typeof enter>) => {
  try {
    enter(...args)
    return null
  } catch (error) {
    return error instanceof Problem && [error.status, error.code, error.options.headers?.['Retry-After']]
  }
}

/** Senders that were all there long enough for their rate to count. */
function openSenders(total: number) {
  const clock = { now: 0 }
  const bounds = { total, perOrganization: 4, perPerson: 8 }
  return { clock, senders: createSenders(bounds, () => clock.now) }
}
const codes = (entered: { ended: Problem[] }[]) => entered.map(({ ended }) => ended.map(({ code }) => code).join())

test('SOC-30 organization can send its maximum number of uploads, and another one when one has ended', () => {
  const senders = createSenders({ total: 10, perOrganization: 2, perPerson: 10 })
  const first = enter(senders, 'acme')
  enter(senders, 'acme')
  expect(refusal(senders, 'acme')).toEqual([423, 'uploads_in_progress', '5'])
  enter(senders, 'umbrella')
  first.leave()
  first.leave()
  expect(refusal(senders, 'acme')).toBeNull()
  expect(refusal(senders, 'acme')).toEqual([423, 'uploads_in_progress', '5'])
})

test('SOC-30 a person can send 8 uploads at a time across all organizations, including uploads by their API keys', () => {
  const { senders } = openSenders(32)
  const ofMallory = Array.from({ length: 8 }, (_, at) => enter(senders, `side-${at}`, 'mallory'))
  expect(refusal(senders, 'side-8', 'mallory')).toEqual([423, 'uploads_in_progress', '5'])
  expect(refusal(senders, 'side-8', 'ada')).toBeNull()
  ofMallory[0]?.leave()
  expect(refusal(senders, 'side-8', 'mallory')).toBeNull()
})

test('SOC-30 organization with the most uploads gives a slot to one with fewer when all are taken', () => {
  const { senders } = openSenders(5)
  const ofAcme = Array.from({ length: 4 }, () => enter(senders, 'acme'))
  enter(senders, 'umbrella')
  expect(refusal(senders, 'initech')).toBeNull()
  expect(codes(ofAcme)).toEqual(['', '', '', 'uploads_busy'])
  // Its slot was taken: ending does not free another one.
  ofAcme[3]?.leave()
  expect(refusal(senders, 'acme')).toEqual([503, 'uploads_busy', '5'])
  expect(refusal(senders, 'umbrella')).toBeNull()
  expect(refusal(senders, 'initech')).toEqual([503, 'uploads_busy', '5'])
  expect(ofAcme.map(({ ended }) => ended.length)).toEqual([0, 0, 1, 1])
})

test('SOC-30 when every slot is used by a different organization, the slowest sender of the last 10 s gives up its slot', () => {
  const { clock, senders } = openSenders(32)
  const entered = Array.from({ length: 32 }, (_, at) => enter(senders, `o-${at}`))
  // The one that is slow now has sent much before.
  entered[20]?.add(1_000_000_000)
  for (let second = 0; second < 12; second++) {
    clock.now += 1_000
    for (const [at, sender] of entered.entries()) sender.add(at === 20 ? 4_600 : 5_000)
  }
  const victim = enter(senders, 'victim')
  expect(codes(entered)).toEqual(entered.map((_, at) => (at === 20 ? 'uploads_busy' : '')))
  // Those that are ended come back, and end each other.
  victim.add(1_000_000)
  clock.now += 2_000
  for (let at = 0; at < 31; at++) expect(refusal(senders, `back-${at}`)).toBeNull()
  expect([victim.ended, codes(entered)]).toEqual([[], entered.map(() => 'uploads_busy')])
})

test('SOC-30 a person or organization that sends as much as all others combined can’t displace them', () => {
  const { clock, senders } = openSenders(3)
  const others = [enter(senders, 'umbrella'), enter(senders, 'initech')]
  const own = enter(senders, 'acme', 'mallory')
  clock.now += 10_000
  own.add(1_000_000)
  expect(refusal(senders, 'side', 'mallory')).toEqual([503, 'uploads_busy', '5'])
  expect(refusal(senders, 'acme', 'ada')).toEqual([503, 'uploads_busy', '5'])
  expect([...codes(others), own.ended]).toEqual(['', '', []])
})

test('SOC-30 a slow sender is not disconnected in its first 2 s', () => {
  const { clock, senders } = openSenders(2)
  const first = enter(senders, 'first')
  first.add(1_000_000)
  clock.now += 1_000
  const second = enter(senders, 'second')
  expect(refusal(senders, 'third')).toEqual([503, 'uploads_busy', '5'])
  clock.now += 1_000
  expect(refusal(senders, 'third')).toBeNull()
  expect(codes([first, second])).toEqual(['uploads_busy', ''])
})

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

/** A session of the person in a new organization of theirs, with a brand. */
async function openOrganization(person: Person) {
  const { cookie } = await person.signIn()
  const send: Person['fetch'] = (route, body, headers) =>
    world.stranger.fetch(route, body, { ...headers, cookie, 'sec-fetch-site': 'same-origin' })
  expect((await send('POST /api/organizations', { name: `Side of ${person.email}` })).status).toBe(201)
  const brand = await send('POST /api/brands', { name: 'Side', timeZone: 'Europe/Berlin' })
  return { ask: send, brandId: ((await brand.json()) as { id: string }).id }
}

const chunkOf = (id: string) => `PATCH /api/uploads/${id}?offset=0`
const asChunk = { 'content-type': 'application/offset+octet-stream' }

/** Creates an upload of 4 MiB and sends so many bytes of it every 100 ms, until `end`. */
async function trickle({ ask, brandId }: Awaited<ReturnType<typeof openOrganization>>, bytes: number) {
  const created = await ask('POST /api/uploads', { brandId, length: 4 * 1024 ** 2, name: 'a.mp4' })
  const { id } = (await created.json()) as Upload
  const state = { sent: 0, isEnded: false }
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        await Bun.sleep(100)
        if (state.isEnded) return controller.close()
        state.sent += bytes
        controller.enqueue(new Uint8Array(bytes))
      },
    },
    { highWaterMark: 0 },
  )
  const answer = ask(chunkOf(id), body, asChunk)
  return { id, ask, state, answer, end: () => (state.isEnded = true) }
}

test('SOC-30 when four people take all slots of a server, the slowest request gets 503 and makes room for another person', async () => {
  const bea = await world.join(world.ada, { name: 'Bea', role: 'editor' })
  const people = [world.ada, world.mallory, world.nora, world.vera]
  const organizations = await Promise.all([...people, ...people].map(openOrganization))
  const senders = await Promise.all(
    organizations.flatMap((organization, at) =>
      Array.from({ length: 4 }, (_, nth) => trickle(organization, at === 3 && nth === 1 ? 1_000 : 4_000)),
    ),
  )
  expect(await eventually(() => senders.every(({ state }) => state.sent > 0))).toBe(true)
  const ninth = await trickle(await openOrganization(world.nora), 2_000)
  const refused = await ninth.answer
  expect([refused.status, (await refused.json()).detail]).toEqual([
    423,
    'You are already sending 8 uploads. Continue this upload in 5 s.',
  ])
  // The rate of a request counts after 2 s.
  await Bun.sleep(2_100)
  const { id } = await bea.fetchJson<Upload>(
    'POST /api/uploads',
    { brandId: world.ada.things.brands, length: 10, name: 'b.mp4' },
    201,
  )
  expect((await bea.fetch(chunkOf(id), new Blob([new Uint8Array(10)]), asChunk)).status).toBe(204)
  for (const { end } of senders) end()
  const statuses = await Promise.all(senders.map(async ({ answer }) => (await answer).status))
  expect(statuses).toEqual(senders.map((_, at) => (at === 13 ? 503 : 204)))
  const slowest = senders[13]
  const kept = (await (await slowest?.ask(`GET /api/uploads/${slowest.id}`))?.json()) as Upload
  expect(kept.received).toBeGreaterThan(0)
}, 60_000)
