import sharp from 'sharp'
import type { Connection } from '#social/types'
import { appPassword, startBluesky } from '../counterparts/bluesky.ts'
import { startDiscord } from '../counterparts/discord/index.ts'
import { startFacebook } from '../counterparts/facebook/index.ts'
import { startInstagram } from '../counterparts/instagram/index.ts'
import { startLinkedIn } from '../counterparts/linkedin/index.ts'
import { startMastodon } from '../counterparts/mastodon.ts'
import { startThreads } from '../counterparts/threads/index.ts'
import { startTikTok } from '../counterparts/tiktok/index.ts'
import { startX } from '../counterparts/x/index.ts'
import { startYouTube } from '../counterparts/youtube/index.ts'
import { beginConnecting, comeBack, findConnected, storeApp } from '../social/networks/support/connect.ts'
import { networkEnv } from '../social/networks/support/origins.ts'
import { hasFfmpeg, uploadVideo } from '../social/networks/support/upload.ts'
import type { Publisher } from '../support/publisher.ts'

export interface Connected {
  provider: string
  connectionId: string
  /** The texts that readers see there. */
  texts(): string[]
  media: { mediaId: string }[]
}

/** More than a run of 1,000 kills posts: the counterparts limit as the networks do, otherwise. */
const unlimited = 100_000

/** Counterparts of all networks. */
export function startNetworks() {
  const x = startX({ limit: unlimited })
  const linkedin = startLinkedIn()
  const threads = startThreads({ processing: 1, postsPerDay: unlimited })
  const instagram = startInstagram({ processing: 1, postsPerDay: unlimited })
  const facebook = startFacebook()
  const tiktok = startTikTok({ limit: unlimited })
  const youtube = startYouTube({ quota: { uploads: unlimited, units: 10_000_000 } })
  const discord = startDiscord()
  const mastodon = startMastodon({ processing: 1 })
  const bluesky = startBluesky()
  const withApps = {
    x: x.app,
    linkedin: linkedin.apps.member,
    'linkedin-page': linkedin.apps.page,
    threads: threads.app,
    instagram: instagram.app,
    facebook: facebook.app,
    tiktok: tiktok.app,
    youtube: youtube.app,
  }
  const counterparts = { x, linkedin, threads, instagram, facebook, tiktok, youtube, discord }

  /** Through the consent page of one account. */
  async function consent(ada: Publisher, provider: string, answer: (url: string) => string, externalId: string) {
    await comeBack(ada, answer(await beginConnecting(ada, provider)))
    return { provider, connectionId: (await findConnected(ada, externalId)).id, media: [] }
  }

  /** With the choice of a Page after the consent page. */
  async function choose(ada: Publisher, provider: string, answer: (url: string) => string, target: string) {
    const back = await comeBack(ada, answer(await beginConnecting(ada, provider)))
    const choice = { choice: back.searchParams.get('choice'), targets: [target] }
    const path = `/api/integrations/${provider}/targets`
    const { connections } = await ada.call<{ connections: Connection[] }>('POST', path, choice, 201)
    return { provider, connectionId: connections[0]?.id ?? '', media: [] }
  }

  /** With a form. */
  async function fillIn(ada: Publisher, provider: string, fields: Record<string, string>) {
    const path = `/api/integrations/${provider}/connect`
    const form = { brandId: ada.brandId, ...fields }
    const { connection } = await ada.call<{ connection: { id: string } }>('POST', path, form, 201)
    return { provider, connectionId: connection.id, media: [] }
  }

  async function connectMastodon(ada: Publisher) {
    const form = { brandId: ada.brandId, instance: mastodon.url }
    const path = '/api/integrations/mastodon/connect'
    const { authorizeUrl } = await ada.call<{ authorizeUrl: string }>('POST', path, form, 201)
    await comeBack(ada, mastodon.consent(authorizeUrl, 'acme'))
    const { id } = await findConnected(ada, `acme@${mastodon.host}`)
    return { provider: 'mastodon', connectionId: id, media: [] }
  }

  async function connect(ada: Publisher): Promise<Connected[]> {
    for (const [provider, app] of Object.entries(withApps)) {
      app.redirectUris.push(`${ada.url}/workspace/accounts/callback/${provider}`)
      await storeApp(ada, { provider, ...app })
    }
    const image = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer()
    const file = { brandId: ada.brandId, file: image.toString('base64') }
    const photo = [{ mediaId: (await ada.call<{ id: string }>('POST', '/api/media', file, 201)).id }]
    const onX = x.account('acme')
    const member = linkedin.directory.member('Ada')
    const organization = linkedin.directory.organization('Acme', member)
    const onThreads = threads.account('acme')
    const onInstagram = instagram.account('acme')
    const person = facebook.directory.person('Ada')
    const page = facebook.directory.page('Acme', person)
    const channel = discord.webhook()
    const webhookUrl = channel.url.replace(discord.urls.api, 'https://discord.com')
    const { did } = bluesky.account('acme.example.com')
    const all: Connected[] = [
      {
        ...(await consent(ada, 'x', (url) => x.consent(url, onX), onX.id)),
        media: photo,
        texts: () => x.posts(onX).map(({ text }) => text),
      },
      {
        ...(await consent(ada, 'linkedin', (url) => linkedin.consent(url, member), member.id)),
        texts: () => linkedin.posts(member).map(({ text }) => text),
      },
      {
        ...(await choose(ada, 'linkedin-page', (url) => linkedin.consent(url, member), organization.id)),
        media: photo,
        texts: () => linkedin.posts(organization).map(({ text }) => text),
      },
      {
        ...(await consent(ada, 'threads', (url) => threads.consent(url, onThreads), onThreads.id)),
        media: photo,
        texts: () => threads.posts(onThreads).map(({ text }) => text),
      },
      {
        ...(await consent(ada, 'instagram', (url) => instagram.consent(url, onInstagram), onInstagram.id)),
        media: photo,
        texts: () => instagram.posts(onInstagram).map(({ caption }) => caption),
      },
      {
        ...(await choose(ada, 'facebook', (url) => facebook.consent(url, person), page.id)),
        media: photo,
        texts: () => facebook.posts(page).map(({ message }) => message),
      },
      {
        ...(await fillIn(ada, 'discord', { webhookUrl })),
        media: photo,
        texts: () => discord.messages(channel.channel).map(({ content }) => content),
      },
      {
        ...(await fillIn(ada, 'bluesky', { handle: 'acme.example.com', appPassword })),
        media: photo,
        texts: () => bluesky.posts(did).map(({ value }) => value.text),
      },
      {
        ...(await connectMastodon(ada)),
        media: photo,
        texts: () => mastodon.statuses('acme').map(({ text }) => text),
      },
    ]
    if (!hasFfmpeg && process.env['TEST_LONG'] === 'true')
      throw new Error('TikTok and YouTube need ffmpeg to be installed in the long run.')
    if (!hasFfmpeg) return all
    const creator = tiktok.creator('acme')
    const onYouTube = youtube.channel('acme', { uploadsPerDay: unlimited })
    const video = [{ mediaId: (await uploadVideo(ada)).id }]
    return [
      ...all,
      {
        ...(await consent(ada, 'tiktok', (url) => tiktok.consent(url, creator), creator.id)),
        media: video,
        texts: () => tiktok.posts(creator).map(({ title }) => title),
      },
      {
        ...(await consent(ada, 'youtube', (url) => youtube.consent(url, onYouTube), onYouTube.id)),
        media: video,
        texts: () => youtube.videos(onYouTube).map(({ title }) => title),
      },
    ]
  }

  return {
    /** With which a server reaches them. */
    env: { ...networkEnv(counterparts), BLUESKY_RESOLVER_URL: bluesky.url, PLC_DIRECTORY_URL: bluesky.url },
    /** Connects an account of each. */
    connect,
    stop: async () => {
      const all = [...Object.values(counterparts), mastodon, bluesky]
      await Promise.all(all.map((network) => network.stop()))
    },
  }
}
