import { z } from 'zod'
import { Refusal, type Call } from '../wire/call.ts'
import { consentPage, Grants, readAuthorize, redirectTo, type App, type Consent } from '../wire/grants.ts'
import { newIds } from '../wire/numbers.ts'
import { Windows } from '../wire/windows.ts'
import { shapesAt, startWire, type Handler, type Wire } from '../wire/wire.ts'
import { Uploads } from './media.ts'
import { codeMs, issueTokens, oauthShapes, readScopes, revoke, scopes, token } from './oauth.ts'
import { PostQuery, readPost, shownPost, timeline, TimelineQuery, type Post } from './posts.ts'
import { forbidden, invalid, notFound, rateLimited, shapes, unauthorized } from './problems.ts'

type Host = 'www' | 'api' | 'legacy'
type Route =
  | 'www GET /i/oauth2/authorize'
  | 'api POST /2/oauth2/token'
  | 'api POST /2/oauth2/revoke'
  | 'api GET /2/users/me'
  | 'legacy GET /2/users/me'
  | 'api GET /2/users/:id/tweets'
  | 'api POST /2/tweets'
  | 'api GET /2/tweets/:id'
  | 'api DELETE /2/tweets/:id'
  | 'api POST /2/media/upload/initialize'
  | 'api POST /2/media/upload/:id/append'
  | 'api POST /2/media/upload/:id/finalize'
  | 'api GET /2/media/upload'
  | 'api POST /2/media/metadata'

export interface Account {
  id: string
  username: string
  name: string
  isSubscribed: boolean
}

/** X on loopback: consent, tokens, posts, uploads, with the hosts `x.com`, `api.x.com` and `api.twitter.com`. */
export interface XCounterpart extends Wire<Host, Route> {
  app: App
  grants: Grants
  /** Creates an account. */
  account(username: string, isSubscribed?: boolean): Account
  /** Answers the consent page as the account; returns the redirect address. @throws {ConsentError} */
  consent(authorizeUrl: string, account: Account, consent?: Consent): string
  /** Tokens as the token endpoint gives them. */
  signIn(account: Account, granted?: string[]): { access_token: string; refresh_token?: string }
  /** The posts of an account, oldest first. */
  posts(account: Account): Post[]
  /** Leaves this many requests of a route in the account's window. */
  leave(route: Route, account: Account, remaining: number): void
  /** The next videos fail in processing. */
  breakVideos(count: number): void
}

interface Options {
  redirectUris?: string[]
  /** Status requests until a video is ready. */
  processing?: number
  /** Refuses a text that the account posted before, as X does. Off, so that tests see duplicates. */
  refusesDuplicates?: boolean
  /** Requests of one route, account and 15 minutes. */
  limit?: number
}

/** Starts it on free ports. */
export function startX({
  redirectUris = [],
  processing = 0,
  refusesDuplicates = false,
  limit = 100,
}: Options = {}): XCounterpart {
  const app: App = { clientId: 'x-client', clientSecret: 'x-secret', redirectUris }
  const accounts = new Map<string, Account>()
  const posts: Post[] = []

  /** Lets the owner of a live token with these scopes through, as long as the window has room. */
  const guarded = (needed: string[], handler: (call: Call, account: Account) => Response | Promise<Response>) =>
    (async (call) => {
      const live = grants.live('access', call.bearer)
      const account = accounts.get(live?.user ?? '')
      if (!live || !account) throw unauthorized()
      call.user = account.id
      if (needed.some((scope) => !live.scopes.includes(scope)))
        throw forbidden(`Your client is missing one of the scopes ${needed.join(', ')}.`)
      if (!windows.take(`${call.route} ${account.id}`))
        throw new Refusal(
          Response.json(rateLimited(), { status: 429, headers: { 'content-type': 'application/problem+json' } }),
        )
      return handler(call, account)
    }) satisfies Handler
  const reading = ['tweet.read', 'users.read']
  const writing = [...reading, 'tweet.write']
  const uploading = ['media.write']

  const me = guarded(reading, (call, account) => {
    const { 'user.fields': fields = '' } = call.search(
      z.strictObject({ 'user.fields': z.string().optional(), expansions: z.string().optional() }),
    )
    const { id, username, name, isSubscribed } = account
    const more = {
      profile_image_url: 'https://pbs.twimg.com/profile_images/1/a_normal.png',
      subscription_type: isSubscribed ? 'Premium' : 'None',
      verified_type: isSubscribed ? 'blue' : 'none',
      verified: isSubscribed,
    }
    const requested = Object.entries(more).filter(([field]) => fields.split(',').includes(field))
    return Response.json({ data: { id, name, username, ...Object.fromEntries(requested) } })
  })

  const create = guarded(writing, (call, account) => {
    const made = { id: nextId(), at: wire.clock.now() }
    const post = readPost(call, account, posts, (ids, owner) => uploads.attached(ids, owner), made)
    if (refusesDuplicates && posts.some(({ author, text }) => author === account.id && text === post.text))
      throw forbidden('You are not allowed to create a Tweet with duplicate content.')
    posts.push(post)
    return Response.json({ data: shownPost(post, {}) }, { status: 201 })
  })

  const remove = guarded(writing, (call, account) => {
    const at = posts.findIndex(({ id }) => id === call.param('id'))
    if (at < 0) return Response.json({ errors: [notFound('tweet', call.param('id'))] }, { status: 404 })
    if (posts[at]?.author !== account.id) throw forbidden('You are not permitted to delete this Tweet.')
    posts.splice(at, 1)
    return Response.json({ data: { deleted: true } })
  })

  const wire: Wire<Host, Route> = startWire<Host, Route>({
    hosts: ['www', 'api', 'legacy'],
    routes: {
      'www GET /i/oauth2/authorize': ({ path, query }) => {
        const href = `${wire.urls.www}${path}?${query}`
        const account = [...accounts.values()][0] ?? createAccount('ada')
        return consentPage({
          'Authorize app': () => consent(href, account),
          Cancel: () => consent(href, account, { allows: false }),
        })
      },
      'api POST /2/oauth2/token': (call) => token(call, app, grants),
      'api POST /2/oauth2/revoke': (call) => revoke(call, app, grants),
      'api GET /2/users/me': me,
      'legacy GET /2/users/me': me,
      'api GET /2/users/:id/tweets': guarded(reading, (call) => {
        const own = posts.filter(({ author }) => author === call.param('id'))
        return Response.json(timeline(own, call.search(TimelineQuery)))
      }),
      'api POST /2/tweets': create,
      'api GET /2/tweets/:id': guarded(reading, (call) => {
        const query = call.search(PostQuery)
        const post = posts.find(({ id }) => id === call.param('id'))
        return Response.json(
          post ? { data: shownPost(post, query) } : { errors: [notFound('tweet', call.param('id'))] },
        )
      }),
      'api DELETE /2/tweets/:id': remove,
      'api POST /2/media/upload/initialize': guarded(uploading, (call) => uploads.initialize(call)),
      'api POST /2/media/upload/:id/append': guarded(uploading, (call) => uploads.append(call)),
      'api POST /2/media/upload/:id/finalize': guarded(uploading, (call) => uploads.finalize(call)),
      'api GET /2/media/upload': guarded(uploading, (call) => uploads.status(call)),
      'api POST /2/media/metadata': guarded(uploading, (call) => uploads.describe(call)),
    },
    shapes: shapesAt(
      (route) => route.includes('/oauth2/'),
      oauthShapes,
      shapes(() => wire.clock.now()),
    ),
    notFound: () => Response.json({ title: 'Not Found', type: 'about:blank', status: 404 }, { status: 404 }),
    invalid,
    headers: ({ route, user }): Record<string, string> => {
      if (!user || route.includes('oauth2')) return {}
      const window = windows.of(`${route} ${user}`)
      return {
        'x-rate-limit-limit': String(window.limit),
        'x-rate-limit-remaining': String(window.remaining),
        'x-rate-limit-reset': String(Math.ceil(window.resetAt / 1000)),
      }
    },
  })
  const nextId = newIds(wire.clock)
  const grants = new Grants(wire.clock)
  const windows = new Windows(wire.clock, limit, 900_000)
  const uploads = new Uploads(nextId, () => wire.clock.now(), processing)

  const consent: XCounterpart['consent'] = (authorizeUrl, account, { allows = true, without = [] } = {}) => {
    const query = readAuthorize(authorizeUrl, app, {
      at: `${wire.urls.www}/i/oauth2/authorize`,
      required: ['scope', 'code_challenge', 'code_challenge_method'],
    })
    const { redirect_uri: redirectUri = '', state = '', code_challenge: challenge = '' } = query
    const granted = readScopes(query).filter((scope) => !without.includes(scope))
    if (!allows) return redirectTo(redirectUri, { error: 'access_denied', state })
    const code = grants.code({ user: account.id, scopes: granted, redirectUri, challenge, choices: [] }, codeMs)
    return redirectTo(redirectUri, { state, code })
  }
  const createAccount: XCounterpart['account'] = (username, isSubscribed = false) => {
    const account = { id: nextId(), username, name: username.toUpperCase(), isSubscribed }
    accounts.set(account.id, account)
    return account
  }

  return {
    ...wire,
    app,
    grants,
    account: createAccount,
    consent,
    signIn: ({ id }, granted = scopes) => issueTokens(grants, id, granted),
    posts: ({ id }) => posts.filter(({ author }) => author === id),
    leave: (route, { id }, remaining) => windows.leave(`${route} ${id}`, remaining),
    breakVideos: (count) => {
      uploads.breaks = count
    },
  }
}
