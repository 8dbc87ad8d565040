import { afterAll, beforeAll, expect, test } from 'bun:test'
import { contrastOnWhite } from '../../src/social/contract/brand-voice.ts'
import { providers, providersWithComments } from '../../src/social/contract/networks.ts'
import { networkOf } from '../../src/social/networks/index.ts'
import type { Brand } from '#social/types'
import { openSocialServer, type SocialServer, type Person, type ProblemBody } from './social-server.ts'

let desk: SocialServer
let ada: Person
beforeAll(async () => {
  desk = await openSocialServer()
  ada = desk.person()
})
afterAll(() => desk.close())

const make = async (values: Record<string, unknown>) => (await ada.fetch<Brand>('POST /api/brands', values)).body
const edit = async (id: string, values: Record<string, unknown>) =>
  (await ada.fetch<Brand>(`PUT /api/brands/${id}`, values)).body

const form = { 'content-type': 'application/x-www-form-urlencoded', 'hx-request': 'true' }

test('SOC-01 voice, words to avoid and languages are stored, each word and language once', async () => {
  const { id } = await make({ name: 'Voiced' })
  const changed = await edit(id, {
    voice: ' Warm and short. ',
    avoidedWords: ['indulge', 'Indulge', 'artisanal'],
    languages: ['de', 'PT-br', 'de'],
  })
  expect(changed).toMatchObject({
    voice: 'Warm and short.',
    avoidedWords: ['indulge', 'artisanal'],
    languages: ['de', 'pt-BR'],
  })
  expect(await edit(id, { voice: '', avoidedWords: [], languages: [] })).toMatchObject({
    voice: null,
    avoidedWords: [],
    languages: [],
  })
})

test('SOC-01 form of the voice sends words as text, can clear its lists, and gets its section', async () => {
  const { id } = await make({ name: 'Formed', languages: ['en'] })
  const body = new URLSearchParams({ voice: 'Calm', avoidedWords: 'indulge, elevate,', 'languages[]': '' })
  const response = await ada.send(`PUT /api/brands/${id}`, body, form)
  expect([response.status, (await response.text()).includes('id="brand-voice"')]).toEqual([200, true])
  const brand = (await ada.fetch<Brand>(`GET /api/brands/${id}`)).body
  expect(brand).toMatchObject({ voice: 'Calm', avoidedWords: ['indulge', 'elevate'], languages: [] })
})

test('SOC-01 form of the hashtags sends them as text, with a placement per network, and gets its section', async () => {
  const { id } = await make({ name: 'Tagged', hashtagPlacements: { sandbox: 'none' } })
  const body = new URLSearchParams({
    defaultHashtags: 'berlincoffee, #OatLatte #oatlatte',
    'hashtagPlacements.instagram': 'comment',
    'hashtagPlacements.linkedin-page': 'text',
  })
  const response = await ada.send(`PUT /api/brands/${id}`, body, form)
  expect([response.status, (await response.text()).includes('id="brand-hashtags"')]).toEqual([200, true])
  const brand = (await ada.fetch<Brand>(`GET /api/brands/${id}`)).body
  expect(brand).toMatchObject({
    defaultHashtags: ['#berlincoffee', '#OatLatte'],
    hashtagPlacements: { instagram: 'comment', 'linkedin-page': 'text', sandbox: 'none' },
  })
})

test('SOC-01 networks that take hashtags in a first comment are those on which Atrium writes them', () => {
  expect([...providersWithComments].toSorted()).toEqual(
    providers.filter((provider) => networkOf(provider)?.firstComments).toSorted(),
  )
})

test.each([
  ['#000000', 21],
  ['#ffffff', 1],
  ['#767676', 4.5],
  ['#777777', 4.4],
  ['#f4ecdd', 1.1],
])('SOC-01 %s has the contrast %d on white', (color, contrast) => {
  expect(contrastOnWhite(color)).toBe(contrast)
})

test('SOC-01 colors are added and removed one by one, at most eight, also simultaneously', async () => {
  const { id } = await make({ name: 'Colored', colors: ['#0F766E'] })
  const added = await Promise.all(
    ['#111111', '#222222', '#0f766e', '#111111'].map((color) => ada.fetch(`POST /api/brands/${id}/colors`, { color })),
  )
  expect(added.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const brand = (await ada.fetch<Brand>(`GET /api/brands/${id}`)).body
  expect(brand.colors.toSorted()).toEqual(['#0f766e', '#111111', '#222222'])
  expect(brand.contrastsOnWhite).toEqual(brand.colors.map(contrastOnWhite))
  const removed = await ada.fetch<Brand>(`DELETE /api/brands/${id}/colors`, { color: '#111111' })
  expect(removed.body.colors.toSorted()).toEqual(['#0f766e', '#222222'])
  for (const digit of '345678') await ada.fetch(`POST /api/brands/${id}/colors`, { color: `#${digit.repeat(6)}` })
  const refused = await ada.fetch<ProblemBody>(`POST /api/brands/${id}/colors`, { color: '#999999' })
  expect([refused.status, refused.body.errors[0]?.path]).toEqual([422, 'color'])
  expect((await desk.person().fetch(`POST /api/brands/${id}/colors`, { color: '#999999' })).status).toBe(404)
})

test('SOC-01 taken slug is refused with the next available one', async () => {
  await make({ name: 'One', slug: 'roastery' })
  await make({ name: 'Two', slug: 'roastery-2' })
  const other = await make({ name: 'Three' })
  const refused = await ada.fetch<ProblemBody & { available: string }>(`PUT /api/brands/${other.id}`, {
    slug: 'roastery',
  })
  expect([refused.status, refused.body.code, refused.body.available]).toEqual([409, 'slug_taken', 'roastery-3'])
  expect(refused.body.errors).toEqual([{ path: 'slug', message: 'Taken. Available: roastery-3.' }])
  expect((await edit(other.id, { slug: 'roastery-3' })).slug).toBe('roastery-3')
  expect((await edit(other.id, { slug: 'roastery-3' })).slug).toBe('roastery-3')
})

test('SOC-01 page says that scheduled posts keep their moment when the time zone changes, and they do', async () => {
  const { id } = await make({ name: 'Zoned', timeZone: 'Europe/Berlin' })
  await ada.fetch('POST /api/integrations/sandbox/connect', { platform: 'sandbox', brandId: id, handle: 'zoned' })
  const scheduledAt = '2099-07-01T09:00:00.000Z'
  const post = await ada.fetch<{ id: string }>('POST /api/posts', {
    brandId: id,
    provider: 'sandbox',
    text: 'One',
    status: 'scheduled',
    scheduledAt,
  })
  expect(await ada.draw(`GET /api/brands/${id}`)).toContain('The scheduled post is still published at the same moment')
  await edit(id, { timeZone: 'America/Santiago' })
  const moved = await ada.fetch<{ scheduledAt: string }>(`GET /api/posts/${post.body.id}`)
  expect(moved.body.scheduledAt).toBe(scheduledAt)
})
