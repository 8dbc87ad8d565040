import { z } from 'zod'
import type { Call } from '../wire/call.ts'
import { consentPage, Grants, readAuthorize, redirectTo, type App, type Consent } from '../wire/grants.ts'
import { newIds } from '../wire/numbers.ts'
import { Windows } from '../wire/windows.ts'
import { shapesAt, startWire, type Handler, type Wire } from '../wire/wire.ts'
import { invalid, invalidParams, invalidToken, missingScope, rateLimited, shapes, succeed } from './errors.ts'
import {
  codeEnd,
  codeMs,
  issueTokens,
  lifetimes,
  oauthShapes,
  readScopes,
  revoke,
  scopes,
  token,
  type Lifetimes,
} from './oauth.ts'
import { Publications, type Creator, type Post, type Rules } from './publications.ts'

type Host = 'www' | 'api' | 'upload'
type Route =
  | 'www GET /v2/auth/authorize/'
  | 'api POST /v2/oauth/token/'
  | 'api POST /v2/oauth/revoke/'
  | 'api GET /v2/user/info/'
  | 'api POST /v2/post/publish/creator_info/query/'
  | 'api POST /v2/post/publish/video/init/'
  | 'api POST /v2/post/publish/inbox/video/init/'
  | 'api POST /v2/post/publish/content/init/'
  | 'api POST /v2/post/publish/status/fetch/'
  | 'api POST /v2/video/list/'
  | 'upload PUT /video/'

/** TikTok on loopback: consent, rotating tokens, creator info, videos in chunks, photos, and their status. */
export interface TikTokCounterpart extends Wire<Host, Route> {
  app: App
  grants: Grants
  creator(username: string, options?: Partial<Omit<Creator, 'id' | 'username'>>): Creator
  /** Answers the consent page as the creator; returns the redirect address. @throws {ConsentError} */
  consent(authorizeUrl: string, creator: Creator, consent?: Consent): string
  /** Tokens as the token endpoint gives them. */
  signIn(creator: Creator, granted?: string[]): ReturnType<typeof issueTokens>
  /** The posts of a creator, oldest first, with those that wait in the inbox. */
  posts(creator: Creator): Post[]
  /** The next publications fail in processing, with this `fail_reason`; by default for their format. */
  breakVideos(count: number, reason?: string): void
  /** The next publications take so many requests for their status. */
  processSlowly(requests: number): void
  /** Ends the processing of all publications. */
  finishProcessing(): void
}

type Options = Partial<Rules> & {
  /** Status requests until a publication is published. */
  processing?: number
  redirectUris?: string[]
  lives?: Lifetimes
  /** Publications a creator can start in a minute. */
  limit?: number
}

const mb = 1024 * 1024

/** Starts it on free ports. */
export function startTikTok({
  redirectUris = [],
  lives = lifetimes,
  limit = 6,
  minChunk = 5 * mb,
  maxChunk = 64 * mb,
  isUnaudited = false,
  ownedUrls = null,
  processing = 0,
}: Options = {}): TikTokCounterpart {
  const app: App = { clientId: 'tiktok-key', clientSecret: 'tiktok-secret', redirectUris }
  const creators = new Map<string, Creator>()

  const guarded = (scope: string, handler: (call: Call, creator: Creator) => Response | Promise<Response>) =>
    ((call) => {
      const live = grants.live('access', call.bearer)
      const creator = creators.get(live?.user ?? '')
      if (!live || !creator) throw invalidToken()
      call.user = creator.id
      if (!live.scopes.includes(scope)) throw missingScope(scope)
      return handler(call, creator)
    }) satisfies Handler
  /** Starting a publication, of which each creator has a few in a minute. */
  const starting = (scope: string, handler: (call: Call, creator: Creator) => Response) =>
    guarded(scope, (call, creator) => {
      if (!windows.take(creator.id)) throw rateLimited()
      return handler(call, creator)
    })

  const wire: Wire<Host, Route> = startWire<Host, Route>({
    hosts: ['www', 'api', 'upload'],
    routes: {
      'www GET /v2/auth/authorize/': ({ path, query }) => {
        const href = `${wire.urls.www}${path}?${query}`
        const creator = [...creators.values()][0] ?? createCreator('ada')
        return consentPage({
          Continue: () => consent(href, creator),
          Cancel: () => consent(href, creator, { allows: false }),
        })
      },
      'api POST /v2/oauth/token/': (call) => token(call, app, grants, lives),
      'api POST /v2/oauth/revoke/': (call) => revoke(call, app, grants),
      'api GET /v2/user/info/': guarded('user.info.basic', (call, { id, username }) => {
        const { fields } = call.search(z.strictObject({ fields: z.string() }))
        const user: Record<string, unknown> = {
          open_id: id,
          union_id: `u-${id}`,
          avatar_url: 'https://p16-sign-va.tiktokcdn.com/a.jpeg',
          display_name: username.toUpperCase(),
        }
        if (grants.find(call.bearer)?.scopes.includes('user.info.profile'))
          Object.assign(user, { username, profile_deep_link: 'https://vm.tiktok.com/a/' })
        const names = fields.split(',')
        const strange = names.find((name) => !(name in user))
        if (strange === 'username' || strange === 'profile_deep_link') throw missingScope('user.info.profile')
        if (strange !== undefined) throw invalidParams(`Field ${strange} is invalid`)
        return succeed({ user: Object.fromEntries(names.map((name) => [name, user[name]])) })
      }),
      'api POST /v2/post/publish/creator_info/query/': guarded('video.publish', (call, creator) => {
        if (call.text !== '' && call.text !== '{}') throw invalidParams('The body has to be empty')
        return succeed({
          creator_avatar_url: 'https://p16-sign-va.tiktokcdn.com/a.jpeg',
          creator_username: creator.username,
          creator_nickname: creator.username.toUpperCase(),
          privacy_level_options: creator.privacyOptions,
          comment_disabled: creator.areCommentsDisabled,
          duet_disabled: false,
          stitch_disabled: false,
          max_video_post_duration_sec: creator.maxDurationSec,
        })
      }),
      'api POST /v2/post/publish/video/init/': starting('video.publish', (call, creator) =>
        publications.startVideo(call, creator, true),
      ),
      'api POST /v2/post/publish/inbox/video/init/': starting('video.upload', (call, creator) =>
        publications.startVideo(call, creator, false),
      ),
      'api POST /v2/post/publish/content/init/': starting('video.publish', (call, creator) =>
        publications.startPhotos(call, creator),
      ),
      'api POST /v2/post/publish/status/fetch/': guarded('video.publish', (call, creator) =>
        publications.status(call, creator),
      ),
      'api POST /v2/video/list/': guarded('video.list', (call, creator) => {
        const { fields } = call.search(z.strictObject({ fields: z.string() }))
        const { max_count, cursor } = call.json(VideoList)
        const own = publications.posts
          .filter((post) => post.creator === creator.id && !post.isInInbox && post.privacy !== 'SELF_ONLY')
          .filter(({ createdAt }) => cursor === undefined || createdAt < cursor)
          .toReversed()
        const page = own.slice(0, max_count)
        const videos = page.map((post) => pickVideo(post, creator, fields.split(',')))
        return succeed({ videos, cursor: page.at(-1)?.createdAt ?? cursor ?? 0, has_more: own.length > page.length })
      }),
      'upload PUT /video/': (call) => publications.put(call),
    },
    shapes: shapesAt((route) => route.includes('/oauth/'), oauthShapes, shapes),
    notFound: () => Response.json({ error: { code: 'invalid_path', message: 'Unsupported path' } }, { status: 404 }),
    invalid,
  })
  const nextId = newIds(wire.clock)
  const grants = new Grants(wire.clock)
  const windows = new Windows(wire.clock, limit, 60_000)
  const publications = new Publications({
    nextId,
    now: () => wire.clock.now(),
    uploadUrl: () => wire.urls.upload,
    processing,
    rules: { minChunk, maxChunk, isUnaudited, ownedUrls },
  })

  const consent: TikTokCounterpart['consent'] = (authorizeUrl, creator, { allows = true, without = [] } = {}) => {
    const query = readAuthorize(authorizeUrl, app, {
      at: `${wire.urls.www}/v2/auth/authorize/`,
      clientParameter: 'client_key',
      required: ['scope'],
      optional: ['code_challenge', 'code_challenge_method', 'disable_auto_auth'],
    })
    const { redirect_uri: redirectUri = '', state = '', scope = '', code_challenge: challenge = null } = query
    const requested = readScopes(scope)
    if (!allows)
      return redirectTo(redirectUri, { error: 'access_denied', error_description: 'User denied access', state })
    const granted = requested.filter((each) => !without.includes(each))
    const code = grants.code({ user: creator.id, scopes: granted, redirectUri, challenge, choices: [] }, codeMs)
    return redirectTo(redirectUri, { code: code + codeEnd, scopes: granted.join(','), state })
  }
  const createCreator: TikTokCounterpart['creator'] = (username, options = {}) => {
    const creator = {
      id: `-000${nextId()}`,
      username,
      privacyOptions: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'],
      maxDurationSec: 600,
      areCommentsDisabled: false,
      isPrivate: false,
      ...options,
    }
    creators.set(creator.id, creator)
    return creator
  }

  return {
    ...wire,
    app,
    grants,
    creator: createCreator,
    consent,
    signIn: ({ id }, granted = scopes) => issueTokens(grants, id, granted, lives),
    posts: ({ id }) => publications.posts.filter(({ creator }) => creator === id),
    breakVideos: (count, reason = 'file_format_check_failed') => {
      publications.breaks = count
      publications.failReason = reason
    },
    processSlowly: (requests) => {
      publications.processing = requests
    },
    finishProcessing: () => publications.finishProcessing(),
  }
}

const VideoList = z.strictObject({
  cursor: z.int().optional(),
  max_count: z.int().min(1).max(20).default(10),
})

function pickVideo(post: Post, { username }: Creator, fields: string[]) {
  const all: Record<string, unknown> = {
    id: post.id,
    title: post.title,
    video_description: post.title,
    create_time: Math.floor(post.createdAt / 1000),
    share_url: `https://www.tiktok.com/@${username}/video/${post.id}`,
    duration: 1,
    cover_image_url: 'https://p16-sign-va.tiktokcdn.com/a.jpeg',
  }
  const strange = fields.find((field) => !(field in all))
  if (strange !== undefined) throw invalidParams(`Field ${strange} is invalid`)
  return Object.fromEntries(fields.map((field) => [field, all[field]]))
}
