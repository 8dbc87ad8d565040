import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import sharp from 'sharp'
import type { Organization } from '#identity/types'
import { openWorld, type Caller, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})

beforeEach(async () => {
  await world.database.sql`DELETE FROM platform.rate_limits`
})

afterAll(() => world.close())

const path = () => `/api/organizations/${world.ada.things.organizations}/logo`

function formOf(bytes: Uint8Array<ArrayBuffer> | string, name = 'logo.png'): FormData {
  const form = new FormData()
  form.set('file', new File([bytes], name, { type: 'image/png' }))
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

const upload = (who: Caller, bytes: Uint8Array<ArrayBuffer> | string) => who.fetch(`PUT ${path()}`, formOf(bytes))
const own = () => world.ada.fetchJson<Organization>(`GET /api/organizations/${world.ada.things.organizations}`)
const page = async (who: Caller, url: string) =>
  (await who.fetch(`GET ${url}`, undefined, { accept: 'text/html' })).text()

test('DSH-06 DSH-04 organization’s logo is stored as a small WebP without metadata, and served for good under a URL of its content', async () => {
  const answer = await upload(world.ada, await photo('#c2410c'))
  expect(answer.status).toBe(200)
  const { logoUrl } = await own()
  expect(logoUrl).toMatch(new RegExp(`^${path()}\\?sha256=[0-9a-f]{64}$`))
  const image = await world.vera.fetch(`GET ${logoUrl}`)
  expect(Object.fromEntries(image.headers)).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'private, max-age=2592000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
  const bytes = await image.bytes()
  const { format, width, height, exif } = await sharp(bytes).metadata()
  expect({ format, width, height, exif }).toEqual({ format: 'webp', width: 320, height: 160, exif: undefined })
  const again = { 'if-none-match': image.headers.get('etag') ?? '' }
  expect((await world.vera.fetch(`GET ${logoUrl}`, undefined, again)).status).toBe(304)

  await upload(world.ada, await photo('#0f766e'))
  expect((await own()).logoUrl).not.toBe(logoUrl)
  // The old URL has the new image, which must not be cached for good there.
  const old = await world.vera.fetch(`GET ${logoUrl}`)
  expect([await old.bytes(), old.headers.get('cache-control')]).not.toEqual([bytes, expect.anything()])
  expect(old.headers.get('cache-control')).toBe('private, no-cache')
})

test('DSH-06 file that isn’t an image by its content, is damaged or too large is refused as a logo, and the logo stays', async () => {
  const { logoUrl } = await own()
  const png = await sharp({ create: { width: 300, height: 300, channels: 4, background: '#0f766e' } })
    .png()
    .toBuffer()
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  for (const bytes of [svg, '<!doctype html><script>alert(1)</script>', new Uint8Array(png.subarray(0, 60))]) {
    const answer = await upload(world.ada, bytes)
    expect(await answer.json()).toMatchObject({ status: 422, errors: [{ path: 'file' }] })
  }
  const bomb = await sharp({ create: { width: 8000, height: 8000, channels: 3, background: '#000' } })
    .png({ compressionLevel: 9 })
    .toBuffer()
  expect(bomb.byteLength).toBeLessThan(5 * 1024 * 1024)
  const refused = await upload(world.ada, new Uint8Array(bomb))
  expect(await refused.json()).toMatchObject({
    status: 422,
    errors: [{ path: 'file', message: expect.stringContaining('40 million pixels') }],
  })
  expect((await upload(world.ada, new Uint8Array(6 * 1024 * 1024))).status).toBe(413)
  expect((await world.ada.fetch(`PUT ${path()}`, new FormData())).status).toBe(422)
  expect((await own()).logoUrl).toBe(logoUrl)
})

test('DSH-06 only owners change their organization’s logo, and only members and super admins see it', async () => {
  const bytes = await photo('#0f766e')
  const { sql } = world.database
  for (const role of ['viewer', 'admin']) {
    await sql`UPDATE identity.memberships SET role = ${role} WHERE user_id = ${world.vera.id}`
    expect((await upload(world.vera, bytes)).status, role).toBe(403)
    expect((await world.vera.fetch(`DELETE ${path()}`)).status, role).toBe(403)
  }
  expect((await upload(world.mallory, bytes)).status).toBe(404)
  expect((await world.mallory.fetch(`DELETE ${path()}`)).status).toBe(404)
  const { logoUrl } = await own()
  expect(logoUrl).not.toBeNull()
  const statuses = [world.vera, world.mallory, world.nora, world.stranger, world.root].map(
    async (who) => (await who.fetch(`GET ${logoUrl}`)).status,
  )
  expect(await Promise.all(statuses)).toEqual([200, 404, 404, 401, 200])
})

test('DSH-06 logo is shown wherever the organization is, until it is removed', async () => {
  await upload(world.ada, await photo('#1d4ed8'))
  const { logoUrl } = await own()
  const picture = `<img src="${logoUrl}" alt=""`
  const me = await world.ada.fetchJson<{ organization: Organization; organizations: Organization[] }>(
    'GET /api/auth/me',
  )
  expect([me.organization.logoUrl, me.organizations[0]?.logoUrl]).toEqual([logoUrl, logoUrl])
  // In the frame, and in the row that changes it.
  expect((await page(world.ada, '/settings/organization')).split(picture).length - 1).toBe(2)
  expect(await page(world.vera, '/settings/organization')).toContain(picture)
  expect(await page(world.ada, '/settings/workspaces')).toContain(picture)
  expect(await page(world.root, '/admin/organizations')).toContain(picture)
  const htmx = { 'hx-request': 'true' }
  const removed = await world.ada.fetch(`DELETE ${path()}`, undefined, htmx)
  expect([removed.status, removed.headers.get('hx-redirect')]).toEqual([200, null])
  const fragment = await removed.text()
  expect(fragment).toMatch(/^<section class="section" id="organization-section"/)
  expect(fragment).toContain('hx-target=".switcher:has(#organization-name) > .avatar"')
  expect(fragment).not.toContain('<img')
  expect((await own()).logoUrl).toBeNull()
  expect((await world.ada.fetch(`GET ${path()}`)).status).toBe(404)
  expect(await page(world.ada, '/settings/organization')).not.toContain('<img')
  expect(
    await world.database.sql`SELECT FROM identity.organization_logos
    WHERE organization_id = ${world.ada.things.organizations}`,
  ).toHaveLength(0)
  const { items } = await world.ada.fetchJson<{ items: { summary: string }[] }>('GET /api/audit')
  expect(items.slice(0, 2).map(({ summary }) => summary)).toEqual([
    'Removed the organization’s logo',
    'Changed the organization’s logo',
  ])
})

test('DSH-06 form without scripts uploads the logo and returns to the settings', async () => {
  const html = await page(world.ada, '/settings/organization')
  expect(html).toContain(`action="${path()}?_method=PUT"`)
  const form = formOf(await photo('#7e22ce'))
  const sent = { accept: 'text/html', 'sec-fetch-mode': 'navigate' }
  const answer = await world.ada.fetch(`POST ${path()}?_method=PUT`, form, sent)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/settings/organization'])
  expect((await own()).logoUrl).not.toBeNull()
})

test('DSH-06 logo uploads at the same time leave one of the images, with the URL of its content', async () => {
  const images = await Promise.all(['#111827', '#b91c1c'].map(photo))
  await Promise.all(images.map((bytes) => upload(world.ada, bytes)))
  const { logoUrl } = await own()
  const image = await world.ada.fetch(`GET ${logoUrl}`)
  const sha256 = new Bun.CryptoHasher('sha256').update(await image.bytes()).digest('hex')
  expect(logoUrl).toEndWith(sha256)
})
