import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import type { PostEditorList } from '#social/types'
import { newId } from '#lib/ids.ts'
import { postEditors } from '../../src/social/schema.ts'
import { openSocialServer, type Person, type SocialServer } from './social-server.ts'
import { createWriter, type Writer } from './writer.ts'

let desk: SocialServer
let ada: Writer
let jonas: Person
beforeAll(async () => {
  desk = await openSocialServer()
  ada = await createWriter(desk)
  jonas = desk.person({ organization: ada.person.organization })
})
afterAll(() => desk.close())

const report = (person: Person, id: string, tabId = newId()) =>
  person.fetch<PostEditorList>(`POST /api/posts/${id}/editors`, { tabId })
const leave = (person: Person, id: string, tabId: string) => person.fetch(`DELETE /api/posts/${id}/editors/${tabId}`)
const read = (id: string, person: Person = ada.person) => person.fetch<PostEditorList>(`GET /api/posts/${id}/editors`)
const present = async (id: string) => (await read(id)).body.items.map(({ personId }) => personId).sort()
const changes = (id: string) =>
  desk.news.filter(({ topic, payload }) => topic === 'social.editors' && payload['postId'] === id).length

test('SOC-12 people who edit a post are listed until they leave, and each coming and leaving is announced once', async () => {
  const { id } = await ada.draft()
  const [first, second] = [newId(), newId()]
  expect((await report(ada.person, id, first)).body.items).toMatchObject([{ personId: ada.person.id }])
  await report(ada.person, id, first)
  await report(jonas, id, second)
  expect([await present(id), changes(id)]).toEqual([[ada.person.id, jonas.id].sort(), 2])
  await leave(jonas, id, second)
  await leave(jonas, id, second)
  expect([await present(id), changes(id)]).toEqual([[ada.person.id], 3])
})

test('SOC-12 person with two tabs remains when one of them is closed', async () => {
  const { id } = await ada.draft()
  const [first, second] = [newId(), newId()]
  await report(jonas, id, first)
  await report(jonas, id, second)
  await leave(jonas, id, first)
  expect(await present(id)).toEqual([jonas.id])
})

test('SOC-12 person whose browser was killed is no longer listed after 75 s, and is announced when they come back', async () => {
  const { id } = await ada.draft()
  await report(jonas, id)
  const age = (seconds: number) =>
    desk.database.db
      .update(postEditors)
      .set({ seenAt: sql`clock_timestamp() - make_interval(secs => ${seconds})` })
      .where(eq(postEditors.postId, id))
  await age(60)
  expect(await present(id)).toEqual([jonas.id])
  await age(76)
  expect(await present(id)).toEqual([])
  await report(jonas, id)
  expect([await present(id), changes(id)]).toEqual([[jonas.id], 2])
})

test('SOC-12 list names the saved version and who saved it', async () => {
  const { id } = await ada.draft()
  expect((await read(id)).body).toMatchObject({ version: 1 })
  await jonas.fetch(`PUT /api/posts/${id}`, { text: 'By Jonas' })
  const { version, savedAt, savedBy } = (await read(id)).body
  expect({ version, savedBy }).toEqual({ version: 2, savedBy: { personId: jonas.id, name: null } })
  expect(Math.abs(Date.parse(savedAt) - Date.now())).toBeLessThan(60_000)
})

test('SOC-12 page of the composer names a newer version only to the person who edits an older one', async () => {
  const { id } = await ada.draft()
  await jonas.fetch(`PUT /api/posts/${id}`, { text: 'By Jonas' })
  const draw = (version: number) => ada.person.draw(`POST /api/posts/${id}/editors`, { tabId: newId(), version })
  expect(await draw(1)).toContain('A newer version was saved at')
  expect(await draw(2)).not.toContain('newer version was')
  expect(await jonas.draw(`POST /api/posts/${id}/editors`, { tabId: newId(), version: 1 })).toContain(
    'You saved a newer version at',
  )
})

test('PLT-23 people of other organizations neither see who edits a post nor are listed', async () => {
  const { id } = await ada.draft()
  const tabId = newId()
  await report(ada.person, id, tabId)
  const mallory = desk.person()
  expect([
    (await read(id, mallory)).status,
    (await report(mallory, id)).status,
    (await leave(mallory, id, tabId)).status,
  ]).toEqual([404, 404, 404])
  expect(await present(id)).toEqual([ada.person.id])
})

test('SOC-12 editors of a deleted post are deleted with it', async () => {
  const { id } = await ada.draft()
  await report(jonas, id)
  await ada.person.fetch(`DELETE /api/posts/${id}`)
  expect((await report(jonas, id)).status).toBe(404)
  expect(await desk.database.db.select().from(postEditors).where(eq(postEditors.postId, id))).toEqual([])
})
