import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Brand, SuggestionList } from '#social/types'
import { openSocialServer, type SocialServer } from './social-server.ts'
import { createWriter, type Writer } from './writer.ts'

let desk: SocialServer
let ada: Writer
beforeAll(async () => {
  desk = await openSocialServer()
  ada = await createWriter(desk)
})
afterAll(() => desk.close())

const suggest = async (query: string, { person, brand }: Writer = ada) =>
  person.fetch<SuggestionList>(`GET /api/brands/${brand.id}/suggestions?${query}`)
const texts = async (query: string) => (await suggest(query)).body.items.map(({ text }) => text)

test('SOC-14 hashtags that a brand used are suggested by frequency, without those of links and codes', async () => {
  await ada.draft('First #Latte and #latte, #wintermenu')
  await ada.draft('Again #latte; https://example.com/#lamp no&#32; a#lost #42')
  expect((await suggest('kind=hashtag&prefix=%23l')).body.items).toEqual([
    { text: '#latte', posts: 2, providers: ['sandbox'] },
  ])
  expect(await texts('kind=hashtag')).toEqual(['#latte', '#wintermenu'])
  expect(await texts('kind=hashtag&prefix=WINTER')).toEqual(['#wintermenu'])
  expect(await texts('kind=hashtag&prefix=%25')).toEqual([])
})

test('SOC-14 default hashtags of the brand come first, each once', async () => {
  await ada.person.fetch<Brand>(`PUT /api/brands/${ada.brand.id}`, { defaultHashtags: ['#slowbar', '#latte'] })
  expect(await texts('kind=hashtag')).toEqual(['#slowbar', '#latte', '#wintermenu'])
  expect((await suggest('kind=hashtag&prefix=s')).body.items).toEqual([{ text: '#slowbar', posts: 0, providers: [] }])
})

test('SOC-14 mentions are suggested with their networks, and email addresses are none', async () => {
  await ada.draft('Thanks @tremblay, and mail hello@example.com')
  await ada.write({ provider: 'bluesky', text: 'Thanks @press.example. Also @tremblay' })
  expect((await suggest('kind=mention')).body.items).toEqual([
    { text: '@tremblay', posts: 2, providers: ['bluesky', 'sandbox'] },
    { text: '@press.example', posts: 1, providers: ['bluesky'] },
  ])
})

test('SOC-14 suggestions are bounded, and never those of another brand or organization', async () => {
  const other = await createWriter(desk)
  await other.draft(Array.from({ length: 30 }, (_, at) => `#other${at}`).join(' '))
  expect((await suggest('kind=hashtag', other)).body.items).toHaveLength(8)
  expect(await texts('kind=hashtag&prefix=other')).toEqual([])
  const refused = await ada.person.fetch(`GET /api/brands/${other.brand.id}/suggestions?kind=hashtag`)
  expect(refused.status).toBe(404)
  const unknown = await suggest('kind=emoji')
  expect([unknown.status, unknown.body]).toMatchObject([422, { errors: [{ path: 'kind' }] }])
})
