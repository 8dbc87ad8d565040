import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import type { Attempt, Connection } from '#social/types'
import { appPassword, startBluesky, type BlueskyCounterpart } from '../../counterparts/bluesky.ts'
import { startLinkedIn, type LinkedInCounterpart } from '../../counterparts/linkedin/index.ts'
import { isSettled } from '../../support/publisher.ts'
import { serveWebPage } from '../../support/web-page.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'

let linkedin: LinkedInCounterpart
let bluesky: BlueskyCounterpart
let onLinkedIn: NetworkSite
let onBluesky: NetworkSite
let count = 0

beforeAll(async () => {
  linkedin = startLinkedIn({ isPartner: true, processing: 1 })
  onLinkedIn = await openNetworkSite({ provider: 'linkedin', counterpart: linkedin, app: linkedin.apps.member })
  bluesky = startBluesky()
  const { stop, url } = bluesky
  const env = { BLUESKY_RESOLVER_URL: url, PLC_DIRECTORY_URL: url }
  onBluesky = await openNetworkSite({ provider: 'bluesky', counterpart: { urls: {}, stop }, env })
})

afterAll(async () => {
  await onLinkedIn.close()
  await onBluesky.close()
})

async function connectMember() {
  const member = linkedin.directory.member(`Ada ${(count += 1)}`)
  return { member, ...(await onLinkedIn.connect(member.id, (url) => linkedin.consent(url, member))) }
}

async function connectHandle() {
  const handle = `acme${(count += 1)}.example.com`
  const { did } = bluesky.account(handle)
  const form = { brandId: onBluesky.ada.brandId, handle, appPassword }
  const path = '/api/integrations/bluesky/connect'
  const { connection } = await onBluesky.ada.call<{ connection: Connection }>('POST', path, form, 201)
  return { did, connectionId: connection.id }
}

const words = { title: 'Maple latte', description: 'Three shops' }
const published = { status: 'published', failureMessage: null }

test('SOC-14 SOC-22 link preview is an article on LinkedIn, with its image as the thumbnail', async () => {
  await using page = await serveWebPage()
  const account = await connectMember()
  const linkPreview = { url: page.url, ...words, imageUrl: page.imageUrl }
  expect(await onLinkedIn.publish(account, { text: 'Look', linkPreview })).toMatchObject({ ...published, linkPreview })
  expect(linkedin.posts(account.member).map(({ article, media }) => ({ article, media }))).toEqual([
    {
      article: { source: page.url, ...words, thumbnail: expect.stringMatching(/^urn:li:image:/) },
      media: [],
    },
  ])
})

test('SOC-14 SOC-22 link preview is an external embed on Bluesky, with an image of at most 1 MB', async () => {
  await using page = await serveWebPage({ edge: 900 })
  expect(page.imageBytes).toBeGreaterThan(1_000_000)
  const account = await connectHandle()
  const linkPreview = { url: page.url, ...words, imageUrl: page.imageUrl }
  expect(await onBluesky.publish(account, { text: 'Look', linkPreview })).toMatchObject(published)
  expect(bluesky.posts(account.did).map(({ value }) => value.embed)).toEqual([
    {
      $type: 'app.bsky.embed.external',
      external: { uri: page.url, ...words, thumb: expect.objectContaining({ mimeType: 'image/jpeg' }) },
    },
  ])
})

test('SOC-14 link preview whose image is gone when the post is due is published without an image', async () => {
  const linkPreview = { url: 'https://example.com/', ...words, imageUrl: 'http://127.0.0.1:1/gone.png' }
  const member = await connectMember()
  const post = await onLinkedIn.publish(member, { text: 'Look', linkPreview })
  expect(post).toMatchObject(published)
  expect(linkedin.posts(member.member)[0]?.article).toEqual({ source: 'https://example.com/', ...words })
  expect(await missingImages(onLinkedIn, post)).toEqual([expect.stringContaining('can’t be reached')])
  const handle = await connectHandle()
  expect(await onBluesky.publish(handle, { text: 'Look', linkPreview })).toMatchObject(published)
  expect(bluesky.posts(handle.did)[0]?.value.embed).toEqual({
    $type: 'app.bsky.embed.external',
    external: { uri: 'https://example.com/', ...words },
  })
})

/** The events of a post's attempts about its card. */
async function missingImages({ ada }: NetworkSite, { id }: { id: string }): Promise<(string | undefined)[]> {
  const { items } = await ada.call<{ items: Attempt[] }>('GET', `/api/posts/${id}/attempts`)
  const events = items.flatMap((attempt) => attempt.events)
  return events.filter(({ what }) => what === 'link_image_missing').map(({ detail }) => detail)
}

/** A site that answers a path in its query with these statuses before the image. */
async function serveBusyImage(statuses: Record<string, number[]>, onRequest: () => unknown = () => {}) {
  const bytes = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async ({ url }) => {
      await onRequest()
      const status = statuses[new URL(url).pathname.slice(1)]?.shift()
      if (status !== undefined) return new Response('', { status })
      return new Response(new Uint8Array(bytes), { headers: { 'content-type': 'image/png' } })
    },
  })
  return {
    imageUrl: (name: string) => new URL(`/${name}`, server.url).href,
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

test('SOC-14 image whose site is busy is downloaded after at most three retries, and else the card has none', async () => {
  const statuses = { soon: [503, 429], never: [503, 503, 429, 503, 503], broken: [500, 500] }
  await using images = await serveBusyImage(statuses)
  const publish = async (name: string) => {
    const account = await connectHandle()
    const linkPreview = { url: 'https://example.com/', ...words, imageUrl: images.imageUrl(name) }
    const post = await onBluesky.publish(account, { text: 'Look', linkPreview })
    expect(post).toMatchObject(published)
    const hasImage = bluesky.posts(account.did).map(({ value }) => JSON.stringify(value.embed).includes('"thumb"'))
    return { hasImage, missing: await missingImages(onBluesky, post) }
  }
  expect(await Promise.all(['soon', 'never', 'broken'].map(publish))).toEqual([
    { hasImage: [true], missing: [] },
    { hasImage: [false], missing: ['Its site responded with 503.'] },
    { hasImage: [false], missing: ['Its site responded with 500.'] },
  ])
  expect(statuses).toEqual({ soon: [], never: [503], broken: [500] })
}, 60_000)

test('SOC-14 SOC-49 card of a brand that requires approvals is published without its image, which isn’t requested', async () => {
  await using page = await serveWebPage()
  const linkPreview = { url: page.url, ...words, imageUrl: page.imageUrl }
  const publish = async (site: NetworkSite, account: { connectionId: string }) => {
    const { ada } = site
    const setPolicy = (approvals: number) =>
      ada.call('PUT', `/api/brands/${ada.brandId}`, { reviewPolicy: { approvals, allowAuthor: true } })
    const { id } = await ada.post({
      provider: site.provider,
      text: 'Approved',
      target: { connectionId: account.connectionId },
      linkPreview,
    })
    await setPolicy(1)
    try {
      await ada.call('POST', `/api/posts/${id}/reviews`, { decision: 'approve' }, 201)
      await ada.call('POST', `/api/posts/${id}/publish-now`, {})
      expect(await ada.until(id, isSettled, 30_000)).toMatchObject(published)
    } finally {
      await setPolicy(0)
    }
    expect(await missingImages(site, { id })).toEqual([expect.stringContaining('requires approvals')])
  }
  const member = await connectMember()
  await publish(onLinkedIn, member)
  expect(linkedin.posts(member.member)[0]?.article).toEqual({ source: page.url, ...words })
  const handle = await connectHandle()
  await publish(onBluesky, handle)
  expect(bluesky.posts(handle.did)[0]?.value.embed).toEqual({
    $type: 'app.bsky.embed.external',
    external: { uri: page.url, ...words },
  })
  expect(page.requests).toEqual([])
})

test('SOC-14 SOC-49 image that was downloaded isn’t published when the brand requires approvals since', async () => {
  await using page = await serveWebPage()
  const publish = async (site: NetworkSite, { connectionId }: { connectionId: string }) => {
    const { ada, provider } = site
    const require = (approvals: number) =>
      ada.call('PUT', `/api/brands/${ada.brandId}`, { reviewPolicy: { approvals, allowAuthor: true } })
    await using image = await serveBusyImage({}, () => require(1))
    const linkPreview = { url: page.url, ...words, imageUrl: image.imageUrl('late') }
    const { id } = await ada.post({ provider, text: 'Later', target: { connectionId }, linkPreview })
    await require(1)
    try {
      await ada.call('POST', `/api/posts/${id}/reviews`, { decision: 'approve' }, 201)
      await require(0)
      await ada.call('POST', `/api/posts/${id}/publish-now`, {})
      expect(await ada.until(id, isSettled, 30_000)).toMatchObject(published)
    } finally {
      await require(0)
    }
    expect(await missingImages(site, { id })).toEqual([expect.stringContaining('requires approvals')])
  }
  const member = await connectMember()
  await publish(onLinkedIn, member)
  expect(linkedin.posts(member.member)[0]?.article).toEqual({ source: page.url, ...words })
  const handle = await connectHandle()
  await publish(onBluesky, handle)
  expect(bluesky.posts(handle.did)[0]?.value.embed).toMatchObject({ external: { uri: page.url, ...words } })
  expect(JSON.stringify(bluesky.posts(handle.did)[0]?.value.embed)).not.toContain('"thumb"')
})

test('SOC-24 post with a link preview is on Bluesky once after a lost response, and its image is downloaded once', async () => {
  await using page = await serveWebPage()
  const account = await connectHandle()
  bluesky.faults.next('com.atproto.repo.putRecord', { kind: 'lose' })
  const linkPreview = { url: page.url, ...words, imageUrl: page.imageUrl }
  expect(await onBluesky.publish(account, { text: 'Once', linkPreview })).toMatchObject(published)
  expect(bluesky.posts(account.did)).toHaveLength(1)
  expect(page.requests).toEqual(['/maple.png'])
})

test('SOC-14 link preview beside files is refused when the post is scheduled, but not in a draft', async () => {
  const { connectionId } = await connectMember()
  const draft = {
    provider: 'linkedin',
    text: 'Look',
    target: { connectionId },
    linkPreview: { url: 'https://example.com/', ...words, imageUrl: null },
    media: [await onLinkedIn.image('A field')],
  }
  const { id } = await onLinkedIn.ada.post(draft)
  const refused = await onLinkedIn.ada.call<{ errors: { path: string }[] }>(
    'POST',
    `/api/posts/${id}/publish-now`,
    {},
    422,
  )
  expect(refused.errors.map(({ path }) => path)).toEqual(['linkPreview'])
})

test('SOC-11 link preview is changed, removed and copied with its post', async () => {
  const { ada } = onLinkedIn
  const linkPreview = { url: 'https://example.com/', ...words, imageUrl: null }
  const post = await ada.post({ provider: 'linkedin', text: 'Look', linkPreview })
  const edited = { ...linkPreview, title: 'Oat latte' }
  expect(await ada.call('PUT', `/api/posts/${post.id}`, { linkPreview: edited })).toMatchObject({ linkPreview: edited })
  expect(await ada.call('POST', `/api/posts/${post.id}/duplicate`, {}, 201)).toMatchObject({ linkPreview: edited })
  const targets = [{ provider: 'x' }, { provider: 'bluesky' }]
  const { items } = await ada.call<{ items: unknown[] }>('POST', `/api/posts/${post.id}/duplicate`, { targets }, 201)
  expect(items).toMatchObject([
    { provider: 'x', linkPreview: null },
    { provider: 'bluesky', linkPreview: edited },
  ])
  expect(await ada.call('PUT', `/api/posts/${post.id}`, { linkPreview: null })).toMatchObject({ linkPreview: null })
})
