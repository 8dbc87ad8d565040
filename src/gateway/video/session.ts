import { z } from 'zod'
import { Problem } from '#lib/errors.ts'
import type { VideoPrivacy } from '../contract/video.ts'
import { connectionProblem, isQuotaRefusal, providerFailed, readRefusal, refusalProblem } from './problems.ts'
import type { VideoCall, VideoProvider } from './provider.ts'

/** What a provider has of an upload. */
export interface Progress {
  received: number
  /** Once it is complete. */
  video: { id: string; privacy: z.output<typeof VideoPrivacy> | null } | null
}

/** A resumable session of Google’s upload protocol. */
export interface UploadSession {
  /** Asks where to continue. @throws {Problem} */
  probe(): Promise<Progress>
  /** @throws {Problem} */
  send(bytes: Uint8Array<ArrayBuffer>, from: number): Promise<Progress>
}

interface OpenedSession {
  /** The URI, or its path below the provider’s base URL. */
  uri: string
  length: number
  contentType: string
  /** Every byte was sent before. */
  mayBeComplete: boolean
}

const probeMs = 20_000

export function openSession(
  { upstreams, config }: Pick<VideoCall, 'upstreams' | 'config'>,
  provider: VideoProvider,
  { uri, ...upload }: OpenedSession,
): UploadSession {
  const { length, contentType } = upload
  let { mayBeComplete } = upload
  /** Not ended with the caller’s request: what the provider received is recorded afterwards. */
  const put = async (range: string, timeoutMs: number, body?: Uint8Array<ArrayBuffer>): Promise<Progress> => {
    const { baseUrl, path } = addressOf(provider.baseUrl, uri)
    try {
      const response = await upstreams.fetch({ ...provider, baseUrl }, path, {
        method: 'PUT',
        headers: { authorization: `Bearer ${provider.token}`, 'content-type': contentType, 'content-range': range },
        body: body ?? '',
        signal: AbortSignal.timeout(timeoutMs),
        keepalive: false,
        organizationId: provider.attribution.organizationId,
      })
      return await readProgress(response, { length, mayBeComplete })
    } catch (error) {
      throw error instanceof Problem ? error : connectionProblem(error)
    }
  }
  return {
    probe: () => put(`bytes */${length}`, probeMs),
    send: (bytes, from) => {
      const end = from + bytes.byteLength
      mayBeComplete ||= end === length
      return put(`bytes ${from}-${end - 1}/${length}`, config.VIDEO_CHUNK_MS, bytes)
    },
  }
}

const Video = z.object({
  id: z.string().min(1),
  status: z.object({ privacyStatus: z.enum(['private', 'unlisted', 'public']).optional() }).optional(),
})

async function readProgress(
  response: Response,
  { length, mayBeComplete }: Pick<OpenedSession, 'length' | 'mayBeComplete'>,
): Promise<Progress> {
  const { status, headers } = response
  if (status === 308) {
    await response.body?.cancel()
    return { received: Math.min(receivedIn(headers.get('range')), length), video: null }
  }
  if (status === 200 || status === 201) {
    const { id, status: state } = Video.parse(await response.json())
    return { received: length, video: { id, privacy: state?.privacyStatus ?? null } }
  }
  const refusal = await readRefusal(response)
  if (status === 404 || status === 410) throw uploadExpired(mayBeComplete)
  // A wrong offset: a probe returns the right one.
  if (status === 400 && refusal.reason === '') throw providerFailed(`YouTube refused a chunk: ${refusal.message}`)
  throw isQuotaRefusal(refusal) ? providerFailed('YouTube’s quota is used up.') : refusalProblem(refusal)
}

/** `bytes=0-262143`, or nothing yet. */
const receivedIn = (range: string | null): number => {
  const last = /^bytes=0-(\d{1,15})$/.exec(range ?? '')?.[1]
  return last === undefined ? 0 : Number(last) + 1
}

export const uploadExpired = (mayBeComplete: boolean): Problem =>
  new Problem(
    410,
    'upload_expired',
    `YouTube no longer has this upload, or the token is of another account. ${
      mayBeComplete ? 'All of its bytes were sent: look for the video on the channel first. ' : ''
    }Start it again with POST /platform/youtube/videos, which uses another upload of the quota.`,
    { members: { mayBeComplete } },
  )

/**
 * The address of a session URI. Google can choose another of its hosts. @throws {Problem} 502 for one that the user’s
 * token must not be sent to
 */
export function addressOf(baseUrl: string, uri: string): { baseUrl: string; path: string } {
  // A practice provider of this server has no origin of its own.
  if (baseUrl.startsWith('/')) {
    const { pathname, search } = new URL(uri, 'http://localhost')
    if (pathname.startsWith(`${baseUrl}/`)) return { baseUrl, path: `${pathname.slice(baseUrl.length)}${search}` }
    throw strangeSession()
  }
  const base = new URL(baseUrl)
  const url = new URL(uri, base)
  if (url.origin !== base.origin && !(isGoogle(base) && isGoogle(url))) throw strangeSession()
  return { baseUrl: url.origin, path: `${url.pathname}${url.search}` }
}

const isGoogle = ({ protocol, hostname, port }: URL): boolean =>
  protocol === 'https:' && port === '' && /(^|\.)googleapis\.com$/.test(hostname)

const strangeSession = () => providerFailed('YouTube returned an upload address on another host.')
