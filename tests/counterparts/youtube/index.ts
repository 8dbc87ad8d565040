import type { Call } from '../wire/call.ts'
import { consentPage, Grants, readAuthorize, redirectTo, secret, type App, type Consent } from '../wire/grants.ts'
import { shapesAt, startWire, type Handler, type Wire } from '../wire/wire.ts'
import {
  invalid,
  invalidToken,
  missingScope,
  noChannel,
  oauthError,
  quotaExceeded,
  quotaFault,
  shapes,
} from './errors.ts'
import { Comments, type Comment } from './comments.ts'
import { listChannels, listUploads, listVideos } from './lists.ts'
import { codeMs, codeStart, issueTokens, oauthShapes, offline, readScopes, revoke, scopes, token } from './oauth.ts'
import { removeVideo, updateVideo } from './video-changes.ts'
import { Uploads, type Breakage, type Channel, type UploadRules, type Video } from './uploads.ts'

export type { Comment } from './comments.ts'
export type { Channel, Video } from './uploads.ts'

type Host = 'accounts' | 'oauth' | 'api'
type Route =
  | 'accounts GET /o/oauth2/v2/auth'
  | 'oauth POST /token'
  | 'oauth POST /revoke'
  | 'api GET /youtube/v3/channels'
  | 'api GET /youtube/v3/videos'
  | 'api PUT /youtube/v3/videos'
  | 'api DELETE /youtube/v3/videos'
  | 'api GET /youtube/v3/playlistItems'
  | 'api GET /youtube/v3/commentThreads'
  | 'api POST /youtube/v3/commentThreads'
  | 'api POST /upload/youtube/v3/videos'
  | 'api PUT /upload/youtube/v3/videos'

/** Google's OAuth and YouTube's Data API on loopback: consent, tokens, channels, resumable uploads, their processing. */
export interface YouTubeCounterpart extends Wire<Host, Route> {
  app: App
  grants: Grants
  channel(username: string, options?: Partial<Omit<Channel, 'id' | 'username'>>): Channel
  /** Answers the consent page with this channel; returns the redirect address. @throws {ConsentError} */
  consent(authorizeUrl: string, channel: Channel, consent?: Consent): string
  /** Tokens as the token endpoint gives them. */
  signIn(channel: Channel, granted?: string[]): ReturnType<typeof issueTokens>
  /** The videos of a channel, oldest first. */
  videos(channel: Channel): Video[]
  /** The comments on the videos of a channel, oldest first. */
  comments(channel: Channel): Comment[]
  /** Another person writes a comment. */
  addComment(videoId: string, text: string): void
  /** The next comments are held for review. */
  holdComments(count: number): void
  /** The next comments meet a used-up quota. */
  endUnits(times: number): void
  /** The next videos end like this instead of being processed. */
  breakVideos(breakage: Breakage, count?: number): void
  /** Processes the next videos only after so many requests for their state; `finishProcessing` ends it. */
  processSlowly(polls: number): void
  finishProcessing(): void
  /** Ends the upload sessions that are open. */
  forgetSessions(): void
  /** How many uploads the project can still start today. */
  leaveUploads(count: number): void
  /** The next uploads meet a used-up quota. */
  endQuota(times: number): void
}

type Options = Partial<UploadRules> & {
  redirectUris?: string[]
  /** Of the project in a Pacific day. */
  quota?: { uploads: number; units: number }
}

const upload = scopes.filter((scope) => !scope.endsWith('.readonly'))
const read = scopes.filter((scope) => !scope.endsWith('.upload'))
/** Comments, and changes of videos. */
const manage = scopes.filter((scope) => scope.endsWith('.force-ssl'))

/** Starts it on free ports. */
export function startYouTube({
  redirectUris = [],
  processing = 0,
  isUnaudited = false,
  quota = { uploads: 100, units: 10_000 },
}: Options = {}): YouTubeCounterpart {
  const app: App = {
    clientId: '123456789012-abc.apps.googleusercontent.com',
    clientSecret: 'GOCSPX-youtube-secret',
    redirectUris,
  }
  const channels = new Map<string, Channel>()
  /** The grants of accounts that consented before, for which no refresh token is given again. */
  const consented = new Set<string>()
  const used = new Map<string, number>()

  const take = (bucket: keyof typeof quota, cost = 1) => {
    const key = `${bucket} ${pacificDay(wire.clock.now())}`
    const count = (used.get(key) ?? 0) + cost
    if (count > quota[bucket]) throw quotaExceeded()
    used.set(key, count)
  }
  const guarded = (allowed: readonly string[], handler: (call: Call, channel: Channel) => Response) =>
    ((call) => {
      const live = grants.live('access', call.bearer)
      const channel = channels.get(live?.user ?? '')
      if (!live || !channel) throw invalidToken()
      call.user = channel.id
      if (!live.scopes.some((scope) => allowed.includes(scope))) throw missingScope()
      return handler(call, channel)
    }) satisfies Handler
  const reading = (handler: (call: Call, channel: Channel) => Response) =>
    guarded(read, (call, channel) => {
      take('units')
      return handler(call, channel)
    })

  const wire: Wire<Host, Route> = startWire<Host, Route>({
    hosts: ['accounts', 'oauth', 'api'],
    routes: {
      'accounts GET /o/oauth2/v2/auth': ({ path, query }) => {
        const href = `${wire.urls.accounts}${path}?${query}`
        const channel = [...channels.values()][0] ?? createChannel('ada')
        return consentPage({
          Continue: () => consent(href, channel),
          Cancel: () => consent(href, channel, { allows: false }),
        })
      },
      'oauth POST /token': (call) => token(call, app, grants),
      'oauth POST /revoke': (call) => revoke(call, grants),
      'api GET /youtube/v3/channels': reading(listChannels),
      'api GET /youtube/v3/videos': reading((call, channel) => listVideos(call, channel, uploads)),
      'api PUT /youtube/v3/videos': guarded(manage, (call, channel) => {
        take('units', 50)
        return updateVideo(call, channel, uploads)
      }),
      'api DELETE /youtube/v3/videos': guarded(manage, (call, channel) => {
        take('units', 50)
        return removeVideo(call, channel, uploads)
      }),
      'api GET /youtube/v3/playlistItems': reading((call, channel) => listUploads(call, channel, uploads)),
      'api GET /youtube/v3/commentThreads': guarded(manage, (call, channel) => {
        take('units')
        return comments.list(call, channel, channels)
      }),
      'api POST /youtube/v3/commentThreads': guarded(manage, (call, channel) => {
        take('units', 50)
        return comments.insert(call, channel, channels)
      }),
      'api POST /upload/youtube/v3/videos': guarded(upload, (call, channel) => {
        if (channel.isMissing) throw noChannel()
        const started = uploads.start(call, channel)
        take('uploads')
        return started
      }),
      'api PUT /upload/youtube/v3/videos': guarded(upload, (call, channel) => uploads.put(call, channel)),
    },
    shapes: shapesAt((route) => route.startsWith('oauth '), oauthShapes, shapes),
    notFound: () => new Response('Not Found', { status: 404 }),
    invalid: (fault, call) =>
      call.host === 'oauth' ? oauthError(400, 'invalid_request', `${fault.field}: ${fault.message}`) : invalid(fault),
  })
  const grants = new Grants(wire.clock)
  const uploads = new Uploads({
    rules: { processing, isUnaudited },
    origin: () => wire.urls.api,
    now: () => wire.clock.now(),
  })

  const comments = new Comments({ uploads, now: () => wire.clock.now() })

  const consent: YouTubeCounterpart['consent'] = (authorizeUrl, channel, { allows = true, without = [] } = {}) => {
    const query = readAuthorize(authorizeUrl, app, {
      at: `${wire.urls.accounts}/o/oauth2/v2/auth`,
      required: ['scope'],
      optional: [
        'access_type',
        'prompt',
        'include_granted_scopes',
        'login_hint',
        'code_challenge',
        'code_challenge_method',
      ],
    })
    const { redirect_uri: redirectUri = '', state = '', code_challenge: challenge = null } = query
    const requested = readScopes(query)
    if (!allows) return redirectTo(redirectUri, { error: 'access_denied', state })
    const granted = requested.filter((each) => !without.includes(each))
    const isFirst = !consented.has(channel.id) || (query['prompt'] ?? '').includes('consent')
    consented.add(channel.id)
    const isOffline = query['access_type'] === 'offline' && isFirst
    const grant = { user: channel.id, scopes: granted, redirectUri, challenge, choices: isOffline ? [offline] : [] }
    return redirectTo(redirectUri, {
      state,
      code: `${codeStart}${grants.code(grant, codeMs)}`,
      scope: granted.join(' '),
    })
  }
  const createChannel: YouTubeCounterpart['channel'] = (username, options = {}) => {
    const channel = {
      id: `UC${secret(16)}`,
      username,
      title: username.toUpperCase(),
      isMissing: false,
      hasNoComments: false,
      uploadsPerDay: 100,
      ...options,
    }
    channels.set(channel.id, channel)
    return channel
  }

  return {
    ...wire,
    app,
    grants,
    channel: createChannel,
    consent,
    signIn: ({ id }, granted = scopes.slice(0, 2)) => issueTokens(grants, id, granted),
    videos: ({ id }) => uploads.videos.filter(({ channel }) => channel === id),
    comments: ({ id }) => {
      const own = new Set(uploads.videos.filter(({ channel }) => channel === id).map((video) => video.id))
      return comments.all.filter(({ video }) => own.has(video))
    },
    addComment: (id, text) => void comments.add({ id }, createChannel(`guest${channels.size}`).id, text),
    holdComments: (count) => {
      comments.held = count
    },
    endUnits: (times) => wire.faults.next('api POST /youtube/v3/commentThreads', quotaFault, times),
    breakVideos: (breakage, count = 1) => {
      uploads.breakages.push(...Array.from({ length: count }, () => breakage))
    },
    processSlowly: (polls) => {
      uploads.processing = polls
    },
    finishProcessing: () => {
      for (const video of uploads.videos) video.polls = 0
    },
    forgetSessions: () => uploads.forgetSessions(),
    endQuota: (times) => wire.faults.next('api POST /upload/youtube/v3/videos', quotaFault, times),
    leaveUploads: (count) => {
      used.set(`uploads ${pacificDay(wire.clock.now())}`, quota.uploads - count)
    },
  }
}

const pacificDay = (at: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' }).format(at)
