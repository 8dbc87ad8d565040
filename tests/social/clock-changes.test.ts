import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Brand, Queue } from '#social/types'
import { listClockChanges } from '../../src/social/slots/clock-changes.ts'
import { slotTimes } from '../../src/social/slots/times.ts'
import { openSocialServer, type SocialServer } from './social-server.ts'
import { createWriter } from './writer.ts'

let desk: SocialServer
beforeAll(async () => {
  desk = await openSocialServer()
})
afterAll(() => desk.close())

const daily = (...times: string[]) => [1, 2, 3, 4, 5, 6, 7].flatMap((day) => times.map((time) => ({ day, time })))
const year = { from: new Date('2027-01-01T00:00:00Z'), until: new Date('2028-01-01T00:00:00Z') }
const changesOf = (slots: { day: number; time: string }[], zone: string, range = year) =>
  listClockChanges(slots, zone, range).map(({ date, time, kind, localTime }) => `${date} ${time} ${kind} ${localTime}`)

test.each([
  [
    'Europe/Berlin',
    '02:30',
    ['2027-03-28 02:30 skipped 2027-03-28T03:30', '2027-10-31 02:30 repeated 2027-10-31T02:30'],
  ],
  [
    'Europe/Berlin',
    '02:00',
    ['2027-03-28 02:00 skipped 2027-03-28T03:00', '2027-10-31 02:00 repeated 2027-10-31T02:00'],
  ],
  ['Europe/Berlin', '03:00', []],
  ['Europe/Berlin', '01:59', []],
  ['Europe/Berlin', '09:00', []],
  ['Australia/Lord_Howe', '02:15', ['2027-10-03 02:15 skipped 2027-10-03T02:45']],
  // Clocks change at midnight: the repeated hour is of the day before.
  ['America/Santiago', '23:30', ['2027-04-03 23:30 repeated 2027-04-03T23:30']],
  ['America/Santiago', '00:30', ['2027-09-05 00:30 skipped 2027-09-05T01:30']],
  ['Asia/Tokyo', '02:30', []],
  ['UTC', '02:30', []],
])('SOC-16 clock changes of 2027 in %s are found for a slot at %s', (zone, time, expected) => {
  expect(changesOf(daily(time), zone)).toEqual(expected)
})

test('SOC-16 clock change concerns slots of its weekday, in a range, and says what the slots really are', () => {
  const sunday = { day: 7, time: '02:30' }
  expect(changesOf([{ day: 6, time: '02:30' }], 'Europe/Berlin')).toEqual([])
  expect(changesOf([sunday], 'Europe/Berlin')).toHaveLength(2)
  // Between the change and the slot, and after it.
  const from = (at: string) => ({ ...year, from: new Date(at) })
  expect(changesOf([sunday], 'Europe/Berlin', from('2027-03-28T01:10:00Z'))).toHaveLength(2)
  expect(changesOf([sunday], 'Europe/Berlin', from('2027-03-28T01:30:00Z'))).toHaveLength(1)
  for (const zone of ['Europe/Berlin', 'America/Santiago', 'Australia/Lord_Howe', 'America/New_York']) {
    const slots = daily('00:30', '01:30', '02:10', '02:30', '23:30')
    const times = new Set(
      slotTimes(slots, zone, year.from)
        .take(366 * 5)
        .map((at) => at.getTime()),
    )
    const changes = listClockChanges(slots, zone, year)
    expect(changes.length).toBeGreaterThan(0)
    for (const { at } of changes) expect(times.has(at.getTime())).toBe(true)
  }
})

test('SOC-16 slots that a clock change skips or repeats are explained in the brand’s settings and in the queue of that day', async () => {
  const { person, brand } = await createWriter(
    desk,
    desk.person({ permissions: ['posts:read', 'calendar:read', 'brands:write'] }),
  )
  const added = await person.draw(`POST /api/brands/${brand.id}/queue-slots`, { days: [7], time: '02:30' })
  expect(added).toContain('02:30 doesn’t exist in Europe/Berlin')
  expect(added).toContain('The slot is at 03:30 on that day.')
  expect(added).toContain('02:30 occurs twice in Europe/Berlin')
  const { slotClockChanges } = (await person.fetch<Brand>(`GET /api/brands/${brand.id}`)).body
  expect(slotClockChanges.map(({ kind }) => kind).toSorted()).toEqual(['repeated', 'skipped'])
  for (const { date, at, kind } of slotClockChanges) {
    const path = `GET /api/queue?brandId=${brand.id}&from=${date}&days=7`
    const { items } = (await person.fetch<Queue>(path)).body
    expect(items).toMatchObject([{ at, isSlot: true, clockChange: { time: '02:30', kind } }])
  }
  await person.fetch(`PUT /api/brands/${brand.id}`, { queueSlots: [{ day: 7, time: '09:00' }] })
  expect((await person.fetch<Brand>(`GET /api/brands/${brand.id}`)).body.slotClockChanges).toEqual([])
})
