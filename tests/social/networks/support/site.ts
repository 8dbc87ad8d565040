import sharp from 'sharp'
import type { Config } from '#config'
import type { Connection, Media } from '#social/types'
import type { App } from '../../../counterparts/wire/grants.ts'
import { administer, freshDatabase, type TestDatabase } from '../../../support/database.ts'
import { inMs, isSettled, newPublisher, type Post, type Publisher } from '../../../support/publisher.ts'
import { serveInProcess } from '../../../support/serve-in-process.ts'
import { beginConnecting, comeBack, findConnected, storeApp } from './connect.ts'
import { networkEnv, type NetworkName } from './origins.ts'

interface Settings {
  provider: NetworkName | 'mastodon' | 'bluesky'
  counterpart: { urls: Record<string, string>; stop(): Promise<void> }
  /** Of the server, beside the origins of the counterpart. */
  env?: Record<string, string>
  /** The app of Ada's organization; without one where the network needs none. */
  app?: App
  /** Of uploaded images. */
  imageType?: ImageType
  config?: Partial<Config>
}

type ImageType = 'png' | 'jpeg'
type Values = Record<string, unknown>

/** Where a post is published. */
interface Target {
  connectionId: string
}

interface ChoiceResponse {
  connections: Connection[]
  errors?: unknown[]
  code?: string
}

export type NetworkSite = Awaited<ReturnType<typeof openNetworkSite>>

/** A server that reaches the counterpart of a network, and Ada, whose organization can connect accounts of it. */
export async function openNetworkSite(settings: Settings) {
  const { provider, counterpart, app, imageType = 'png', config = {} } = settings
  const database: TestDatabase = await freshDatabase()
  const env = { ...networkEnv({ [provider]: counterpart }), ...settings.env }
  const server = await serveInProcess({ databaseUrl: database.url, env, config })
  const ada: Publisher = await newPublisher(server.url)
  if (app) {
    app.redirectUris.push(`${server.url}/workspace/accounts/callback/${provider}`)
    await storeApp(ada, { provider, clientId: app.clientId, clientSecret: app.clientSecret })
  }
  const send = <Answer>({ connectionId }: Target, values: Values, status: number): Promise<Answer> => {
    const fields = { brandId: ada.brandId, provider, status: 'scheduled', target: { connectionId }, ...values }
    return ada.call<Answer>('POST', '/api/posts', { scheduledAt: inMs(3_600_000), ...fields }, status)
  }
  const schedule = (target: Target, values: Values): Promise<Post> =>
    send(target, { scheduledAt: inMs(150), ...values }, 201)
  const upload = async (bytes: Buffer, alt: string): Promise<{ mediaId: string }> => {
    const body = { brandId: ada.brandId, file: bytes.toString('base64'), alt }
    return { mediaId: (await ada.call<Media>('POST', '/api/media', body, 201)).id }
  }
  const image = async (alt: string, { type = imageType, width = 40 }: { type?: ImageType; width?: number } = {}) => {
    const drawn = sharp({ create: { width, height: 40, channels: 3, background: 'red' } })
    return upload(await drawn[type]().toBuffer(), alt)
  }
  const consent = async (answer: (authorizeUrl: string) => string, form: Values = {}): Promise<URL> =>
    comeBack(ada, answer(await beginConnecting(ada, provider, form)))
  return {
    ada,
    provider,
    url: server.url,
    databaseUrl: database.url,
    /** Schedules a post that is due at once. */
    schedule,
    publish: async (target: Target, values: Values): Promise<Post> =>
      ada.until((await schedule(target, values)).id, isSettled, 30_000),
    /** Schedules a thread that is due at once; returns its posts in order. */
    scheduleThread: async (target: Target, texts: string[], inMilliseconds = 150): Promise<Post[]> => {
      const thread = { thread: texts.map((text) => ({ text })), scheduledAt: inMs(inMilliseconds) }
      return (await send<{ items: Post[] }>(target, thread, 201)).items
    },
    /** Schedules a post for later. @throws when it is refused */
    scheduleLater: (target: Target, values: Values): Promise<Post> => send(target, values, 201),
    /** Schedules a post for later, and returns why it is refused. @throws when it is accepted */
    refusalOf: async (target: Target, values: Values): Promise<string | undefined> =>
      (await send<{ errors: { message: string }[] }>(target, values, 422)).errors[0]?.message,
    /** Uploads a file; returns it as `media` of a post names it. */
    upload,
    /** The same for a red image. */
    image,
    /** The files of a post with one image. */
    red: async () => [{ ...(await image('Red')), alt: 'Red' }],
    /** Begins to connect an account, answers the consent page and returns; returns where that leads. */
    consent,
    /** Connects the account that consents. */
    connect: async (
      externalId: string,
      answer: (authorizeUrl: string) => string,
      form: Values = {},
    ): Promise<Target> => {
      await consent(answer, form)
      return { connectionId: (await findConnected(ada, externalId)).id }
    },
    /** Chooses what is connected on the page to which a consent leads. */
    choose: (at: URL, targets: string[], status = 201, who = ada): Promise<ChoiceResponse> => {
      const choice = { choice: at.searchParams.get('choice'), targets }
      return who.call<ChoiceResponse>('POST', `/api/integrations/${provider}/targets`, choice, status)
    },
    /** Makes the access token of an account expire in a minute. */
    expireSoon: ({ connectionId }: Target) =>
      administer(
        database.url,
        (sql) => sql`UPDATE social.connections SET expires_at = now() + interval '1 minute' WHERE id = ${connectionId}`,
      ),
    close: async () => {
      await server.stop()
      await counterpart.stop()
      await database.drop()
    },
  }
}
