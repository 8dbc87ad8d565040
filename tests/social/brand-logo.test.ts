import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import sharp from 'sharp'
import type { Brand, CurrentBrand } from '#social/types'
import { eraseOrganizationData } from '#lib/tenant-data/erase.ts'
import { exportLogos } from '../../src/social/brands/logo/export.ts'
import { socialData } from '../../src/social/tenant-data.ts'
import { openWorld, type Caller, type World } from '../support/world.ts'

let world: World
let brand: Brand

beforeAll(async () => {
  world = await openWorld()
})

beforeEach(async () => {
  await world.database.sql`DELETE FROM platform.rate_limits`
  brand = await world.ada.fetchJson<Brand>('POST /api/brands', { name: 'Roastery' }, 201)
})

afterAll(() => world.close())

const path = () => `/api/brands/${brand.id}/logo`

function formOf(bytes: Uint8Array<ArrayBuffer> | string): FormData {
  const form = new FormData()
  form.set('file', new File([bytes], 'logo.png', { type: 'image/png' }))
  return form
}

/** With a camera's location in it. */
const photo = async (color: string) =>
  new Uint8Array(
    await sharp({ create: { width: 900, height: 450, channels: 3, background: color } })
      .withExif({ IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } })
      .jpeg()
      .toBuffer(),
  )

const upload = async (who: Caller, bytes?: Uint8Array<ArrayBuffer> | string) =>
  who.fetch(`PUT ${path()}`, formOf(bytes ?? (await photo('#0f766e'))))
const own = () => world.ada.fetchJson<Brand>(`GET /api/brands/${brand.id}`)
const page = async (who: Caller, url: string) =>
  (await who.fetch(`GET ${url}`, undefined, { accept: 'text/html' })).text()

test('SOC-01 brand’s logo is stored as a small WebP without metadata, and served for good under a URL of its content', async () => {
  expect(brand.logoUrl).toBeNull()
  expect((await world.ada.fetch(`GET ${path()}`)).status).toBe(404)
  const answer = await upload(world.ada)
  expect(answer.status).toBe(200)
  const { logoUrl } = await own()
  expect(await answer.json()).toEqual({ ...brand, logoUrl })
  expect(logoUrl).toMatch(new RegExp(`^${path()}\\?sha256=[0-9a-f]{64}$`))
  const image = await world.vera.fetch(`GET ${logoUrl}`)
  expect(Object.fromEntries(image.headers)).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'private, max-age=2592000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  })
  const { format, width, height, exif } = await sharp(await image.bytes()).metadata()
  expect({ format, width, height, exif }).toEqual({ format: 'webp', width: 320, height: 160, exif: undefined })

  await upload(world.ada, await photo('#b91c1c'))
  expect((await own()).logoUrl).not.toBe(logoUrl)
  // The old URL has the new image, which must not be cached for good there.
  const old = await world.vera.fetch(`GET ${logoUrl}`)
  expect(old.headers.get('cache-control')).toBe('private, no-cache')
})

test('SOC-01 file that isn’t an image by its content, is damaged or too large is refused as a brand’s logo, and the logo stays', async () => {
  await upload(world.ada)
  const { logoUrl } = await own()
  expect(logoUrl).not.toBeNull()
  const damaged = (await photo('#0f766e')).slice(0, 60)
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  for (const bytes of [svg, '<!doctype html><script>alert(1)</script>', damaged]) {
    const answer = await upload(world.ada, bytes)
    expect(await answer.json()).toMatchObject({ status: 422, errors: [{ path: 'file' }] })
  }
  expect((await upload(world.ada, new Uint8Array(6 * 1024 * 1024))).status).toBe(413)
  expect((await world.ada.fetch(`PUT ${path()}`, new FormData())).status).toBe(422)
  expect((await own()).logoUrl).toBe(logoUrl)
})

test('SOC-01 IDN-18 brand’s logo is changed with the permission for the brand, read by those who read it, and absent for others', async () => {
  await upload(world.ada)
  expect((await upload(world.vera)).status).toBe(403)
  expect((await world.vera.fetch(`DELETE ${path()}`)).status).toBe(403)
  expect((await upload(world.mallory)).status).toBe(404)
  expect((await world.mallory.fetch(`DELETE ${path()}`)).status).toBe(404)

  const other = await world.ada.fetchJson<Brand>('POST /api/brands', { name: 'Other' }, 201)
  const edda = await world.join(world.ada, { name: 'Edda', role: 'editor' })
  const limits = `/api/organizations/${world.ada.things.organizations}/members/${edda.id}/resources`
  const limit = { service: 'platform-socialize', kind: 'brand', role: 'viewer' }
  await world.ada.fetchJson(`PUT ${limits}`, { resources: [{ ...limit, id: brand.id }] })
  const statuses = async () =>
    Promise.all(
      [world.vera, edda, world.mallory, world.stranger].map(async (who) => (await who.fetch(`GET ${path()}`)).status),
    )
  expect(await statuses()).toEqual([200, 200, 404, 401])
  expect((await upload(edda)).status).toBe(403)
  await world.ada.fetchJson(`PUT ${limits}`, { resources: [{ ...limit, id: other.id }] })
  expect(await statuses()).toEqual([200, 404, 404, 401])
})

test('SOC-01 brand’s logo is shown wherever the brand is, until it is removed', async () => {
  await upload(world.ada)
  const { logoUrl } = await own()
  const picture = `<img src="${logoUrl}" alt=""`
  const current = await world.ada.fetchJson<CurrentBrand>(`GET /api/brands/current?brandId=${brand.id}`)
  expect(current.brand?.logoUrl).toBe(logoUrl)
  // In the switcher, its menu, and the row that changes it.
  const settings = await page(world.ada, `/workspace/brands/${brand.id}`)
  expect(settings.split(picture).length - 1).toBe(3)
  expect(settings).toContain(`action="${path()}?_method=PUT"`)
  expect(await page(world.vera, `/workspace/brands/${brand.id}`)).toContain(picture)
  expect(await page(world.ada, '/workspace/brands')).toContain(picture)
  const removed = await world.ada.fetch(`DELETE ${path()}`, undefined, { 'hx-request': 'true' })
  expect([removed.status, removed.headers.get('hx-redirect')]).toEqual([200, null])
  const fragment = await removed.text()
  expect(fragment).toMatch(/^<section class="section" id="brand-settings"/)
  expect(fragment).toContain('hx-target=".switcher[popovertarget=brand-menu] > .avatar"')
  expect(fragment).not.toContain('<img')
  expect((await own()).logoUrl).toBeNull()
  expect((await world.ada.fetch(`GET ${path()}`)).status).toBe(404)
  expect(await world.database.sql`SELECT FROM social.brand_logos WHERE brand_id = ${brand.id}`).toHaveLength(0)
  const { items } = await world.ada.fetchJson<{ items: { summary: string }[] }>(`GET /api/audit?objectId=${brand.id}`)
  expect(items.slice(0, 2).map(({ summary }) => summary)).toEqual([
    'Removed the logo of brand “Roastery”',
    'Changed the logo of brand “Roastery”',
  ])
})

test('SOC-01 form without scripts uploads the brand’s logo and returns to its settings', async () => {
  const sent = { accept: 'text/html', 'sec-fetch-mode': 'navigate' }
  const answer = await world.ada.fetch(`POST ${path()}?_method=PUT`, formOf(await photo('#7e22ce')), sent)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/workspace/brands/${brand.id}`])
  expect((await own()).logoUrl).not.toBeNull()
})

test('SOC-43 transferred brand keeps its logo, which the old organization no longer reads or exports, and is erased with the new one', async () => {
  await upload(world.ada)
  const { logoUrl } = await own()
  const targetOrganizationId = world.mallory.things.organizations
  const { sql, db } = world.database
  const row = () => sql`SELECT * FROM social.brand_logos WHERE brand_id = ${brand.id}`
  const exported = async (organizationId: string) =>
    (await Array.fromAsync(exportLogos(db, organizationId))).map(({ name }) => name)
  const before = await row()
  expect(await exported(world.ada.things.organizations)).toContain(`${brand.id}.webp`)
  await sql`INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    VALUES (${targetOrganizationId}, ${world.ada.id}, 'admin', now())`
  await world.ada.fetchJson(`POST /api/brands/${brand.id}/transfer-organization`, { targetOrganizationId })
  expect(await row()).toEqual(before)
  expect((await world.ada.fetch(`GET ${logoUrl}`)).status).toBe(404)
  expect((await world.mallory.fetch(`GET ${logoUrl}`)).status).toBe(200)
  expect(await exported(world.ada.things.organizations)).not.toContain(`${brand.id}.webp`)
  expect(await exported(targetOrganizationId)).toContain(`${brand.id}.webp`)
  const erasing = { ...world.provided, database: world.database, now: () => new Date() }
  await eraseOrganizationData(erasing, socialData, targetOrganizationId)
  expect(await row()).toHaveLength(0)
})
