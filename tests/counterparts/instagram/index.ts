import { z } from 'zod'
import { Containers } from '../graph/containers.ts'
import { codeShapes, faults, graphError, graphShape, invalid, missingObject, notFound } from '../graph/errors.ts'
import { fetchFault } from '../graph/media.ts'
import { fieldList, Params, pick } from '../graph/params.ts'
import { callBack } from '../graph/signed-request.ts'
import { codeMs, liveToken, longMs, needScopes } from '../graph/tokens.ts'
import { usageHeaders } from '../graph/usage.ts'
import type { Call } from '../wire/call.ts'
import {
  ConsentError,
  consentPage,
  Grants,
  readAuthorize,
  redirectTo,
  type App,
  type Consent,
  type Token,
} from '../wire/grants.ts'
import { newIds } from '../wire/numbers.ts'
import { shapesAt, startWire, type Handler, type Wire } from '../wire/wire.ts'
import { Create, limits, newPost, readContent, shownComment, shownPost, type Content, type Post } from './content.ts'
import { exchange, refresh, scopes, token } from './oauth.ts'

type Host = 'www' | 'api' | 'graph'
type Route =
  | 'www GET /oauth/authorize'
  | 'api POST /oauth/access_token'
  | 'graph GET /access_token'
  | 'graph GET /refresh_access_token'
  | 'graph GET /me'
  | 'graph POST /:user/media'
  | 'graph POST /:user/media_publish'
  | 'graph GET /:user/media'
  | 'graph GET /:user/content_publishing_limit'
  | `graph ${'GET' | 'POST'} /:id/comments`
  | 'graph GET /:id'

export interface Account {
  /** The id of the professional account, which paths have. */
  id: string
  /** The id for this app, which tokens and callbacks have. */
  scopedId: string
  username: string
}

/** Instagram with business login on loopback: consent, tokens, containers, posts, comments, and calls to the app. */
export interface InstagramCounterpart extends Wire<Host, Route> {
  app: App
  grants: Grants
  account(username: string): Account
  /** Answers the consent page as the account; returns the redirect address. @throws {ConsentError} */
  consent(authorizeUrl: string, account: Account, consent?: Consent): string
  /** A token of 60 days. */
  signIn(account: Account, granted?: string[]): string
  /** The posts of an account, oldest first. */
  posts(account: Account): Post[]
  /** Counts this many posts against the account's quota. */
  useQuota(account: Account, posts: number): void
  /** The next containers end in an error. */
  breakContainers(count: number): void
  /** Removes the app from the account: revokes its tokens and calls the app's address for that. */
  deauthorize(account: Account, callbackUrl: string): Promise<Response>
  /** Asks the app to delete the account's data. */
  requestDeletion(account: Account, callbackUrl: string): Promise<Response>
}

interface Options {
  redirectUris?: string[]
  /** Status requests until a container is finished. */
  processing?: number
  /** Of an account in 24 hours. */
  postsPerDay?: number
  /** Responds to codes without the list that the documentation has. */
  isFlat?: boolean
}

/** Starts it on free ports. */
export function startInstagram({
  redirectUris = [],
  processing = 0,
  postsPerDay = limits.postsPerDay,
  isFlat = false,
}: Options = {}): InstagramCounterpart {
  const app: App = { clientId: '3000', clientSecret: 'instagram-secret', redirectUris }
  const accounts = new Map<string, Account>()
  const posts: Post[] = []
  const used = new Map<string, number[]>()

  const guarded = (
    needed: string[],
    handler: (params: Params, token: Token, call: Call) => Response | Promise<Response>,
  ) =>
    (async (call) => {
      const params = await Params.of(call)
      const live = liveToken(grants, wire.clock, params.token, ['short', 'long'])
      call.user = live.user
      needScopes(live, 'instagram_business_basic', ...needed)
      const owner = call.params['user']
      if (owner !== undefined && owner !== 'me' && owner !== live.user) throw missingObject(owner)
      return handler(params, live, call)
    }) satisfies Handler
  const publishing = ['instagram_business_content_publish']

  const usedToday = (user: string) => (used.get(user) ?? []).filter((at) => at > wire.clock.now() - 86_400_000).length
  const charge = (user: string) => used.set(user, [...(used.get(user) ?? []), wire.clock.now()])
  const usernameOf = (user: string) => accounts.get(user)?.username ?? ''

  const create = guarded(publishing, async (params, { user }) => {
    const content = await readContent(params.read(Create), (id) => {
      const item = containers.of(id, user)
      return item && containers.status(item) === 'FINISHED' ? item.content : undefined
    })
    const busy = content.kind === 'IMAGE' ? 0 : processing
    return Response.json({ id: containers.create(user, content, busy).id })
  })

  const publish = guarded(publishing, (params, { user }) => {
    const { creation_id: id } = params.read(z.strictObject({ creation_id: z.string().regex(/^\d+$/) }))
    const container = containers.of(id, user)
    const status = container && containers.status(container)
    if (!container || status === 'EXPIRED' || status === 'PUBLISHED' || container.content.isItem)
      throw graphError({
        code: 24,
        subcode: 2_207_008,
        message: `The media builder with creation id = ${id} does not exist or has been expired.`,
      })
    if (status !== 'FINISHED')
      throw graphError({
        code: 9007,
        subcode: 2_207_027,
        message: 'Media ID is not available',
        explanation: 'The media is not ready for publishing, please wait for a moment.',
      })
    if (usedToday(user) >= postsPerDay)
      throw graphError({
        status: 403,
        code: 9,
        subcode: 2_207_042,
        message: 'Application request limit reached',
        explanation: 'You reached maximum number of posts that is allowed to be published by Content Publishing API.',
      })
    charge(user)
    container.mediaId = nextId()
    posts.push(newPost(container.mediaId, user, container.content, wire.clock.now()))
    return Response.json({ id: container.mediaId })
  })

  const node = guarded([], (params, { user }, call) => {
    const { fields } = params.read(FieldsQuery)
    const id = call.param('id')
    const container = containers.of(id, user)
    if (container) {
      const status_code = containers.status(container)
      const status = sentences[status_code]
      if (fields?.includes('status')) container.busy -= 1
      return Response.json(pick({ id, status_code, status }, fields, 'IGContainer'))
    }
    const post = posts.find((each) => each.id === id && each.owner === user)
    if (!post) throw missingObject(id)
    return Response.json(pick(shownPost(post, usernameOf(user)), fields, 'IGMedia'))
  })

  const list = guarded([], (params, { user }) => {
    const { fields, limit, after } = params.read(ListQuery)
    const own = posts.filter(({ owner, product }) => owner === user && product !== 'STORY').toReversed()
    const start = own.findIndex(({ id }) => id === after) + 1
    const page = own.slice(start, start + limit)
    const data = page.map((post) => pick(shownPost(post, usernameOf(user)), fields, 'IGMedia'))
    return Response.json({ data, paging: { cursors: { before: page[0]?.id, after: page.at(-1)?.id } } })
  })

  const comment = guarded(['instagram_business_manage_comments'], (params, { user }, call) => {
    const { message } = params.read(z.strictObject({ message: z.string().min(1).max(300) }))
    const post = posts.find(({ id, owner }) => id === call.param('id') && owner === user)
    if (!post) throw missingObject(call.param('id'))
    const made = { id: nextId(), text: message, from: user, createdAt: new Date(wire.clock.now()).toISOString() }
    post.comments.push(made)
    return Response.json({ id: made.id })
  })

  /** Newest first. */
  const listComments = guarded(['instagram_business_manage_comments'], (params, { user }, call) => {
    const { fields, limit, after } = params.read(CommentQuery)
    const post = posts.find(({ id, owner }) => id === call.param('id') && owner === user)
    if (!post) throw missingObject(call.param('id'))
    const all = post.comments.toReversed()
    const start = all.findIndex(({ id }) => id === after) + 1
    const page = all.slice(start, start + limit)
    const data = page.map((each) =>
      pick(shownComment(each, usernameOf(each.from)), fields ?? 'id,text,timestamp', 'IGComment'),
    )
    return Response.json({ data, paging: { cursors: { before: page[0]?.id, after: page.at(-1)?.id } } })
  })

  const wire: Wire<Host, Route> = startWire<Host, Route>({
    hosts: ['www', 'api', 'graph'],
    routes: {
      'www GET /oauth/authorize': ({ path, query }) => {
        const href = `${wire.urls.www}${path}?${query}`
        const account = [...accounts.values()][0] ?? createAccount('ada')
        return consentPage({
          Allow: () => consent(href, account),
          Cancel: () => consent(href, account, { allows: false }),
        })
      },
      'api POST /oauth/access_token': (call) =>
        token(call, app, grants, { isFlat, scopedIdOf: (user) => accounts.get(user)?.scopedId ?? '' }),
      'graph GET /access_token': async (call) => exchange(await Params.of(call), app, grants, wire.clock),
      'graph GET /refresh_access_token': async (call) => refresh(await Params.of(call), grants, wire.clock),
      'graph GET /me': guarded([], (params, { user }) => {
        const { fields } = params.read(FieldsQuery)
        const account = accounts.get(user)
        const me = {
          id: account?.scopedId,
          user_id: user,
          username: account?.username,
          name: account?.username.toUpperCase(),
          account_type: 'BUSINESS',
          profile_picture_url: 'https://scontent.cdninstagram.com/a.jpg',
          followers_count: 1,
          follows_count: 1,
          media_count: posts.filter(({ owner }) => owner === user).length,
        }
        return Response.json(pick(me, fields, 'IGUser'))
      }),
      'graph POST /:user/media': create,
      'graph POST /:user/media_publish': publish,
      'graph GET /:user/media': list,
      'graph GET /:user/content_publishing_limit': guarded(publishing, (params, { user }) => {
        const { fields } = params.read(FieldsQuery)
        const quota = {
          quota_usage: usedToday(user),
          config: { quota_total: postsPerDay, quota_duration: 86_400 },
        }
        return Response.json({ data: [pick(quota, fields ?? 'quota_usage', 'ContentPublishingLimit', [])] })
      }),
      'graph GET /:id/comments': listComments,
      'graph POST /:id/comments': comment,
      'graph GET /:id': node,
    },
    shapes: shapesAt((route) => route.endsWith('POST /oauth/access_token'), codeShapes, {
      unauthorized: () => graphShape(faults.unreadableToken),
      forbidden: () => graphShape(faults.noPermission),
      rate_limited: () => graphShape(faults.rateLimited, usageHeaders('3000', 'instagram', 100, 30)),
      server_error: () => graphShape(faults.unavailable),
      expired_token: () => graphShape(faults.expiredToken),
      revoked_token: () => graphShape(faults.revokedToken),
      media_refused: () => graphShape(fetchFault),
    }),
    notFound,
    invalid,
    unversioned: (path) => path.replace(/^\/v\d+\.0(?=\/)/, ''),
    headers: (call) => (call.host === 'graph' ? usageHeaders('3000', 'instagram', 1) : {}),
  })
  const nextId = newIds(wire.clock)
  const grants = new Grants(wire.clock)
  const containers = new Containers<Content>(wire.clock, nextId)

  const consent: InstagramCounterpart['consent'] = (authorizeUrl, account, { allows = true, without = [] } = {}) => {
    const query = readAuthorize(authorizeUrl, app, {
      at: `${wire.urls.www}/oauth/authorize`,
      required: ['scope'],
      optional: ['enable_fb_login', 'force_authentication', 'force_reauth'],
    })
    const { redirect_uri: redirectUri = '', state = '', scope = '' } = query
    const requested = scope.split(/[ ,]/)
    const strange = requested.find((each) => !scopes.includes(each))
    if (strange !== undefined) throw new ConsentError(`Invalid Scopes: ${strange}`)
    if (!allows)
      return redirectTo(redirectUri, {
        error: 'access_denied',
        error_reason: 'user_denied',
        error_description: 'The user denied your request.',
        state,
      })
    const granted = requested.filter((each) => !without.includes(each))
    const code = grants.code({ user: account.id, scopes: granted, redirectUri, challenge: null, choices: [] }, codeMs)
    return `${redirectTo(redirectUri, { code, state })}#_`
  }
  const createAccount = (username: string): Account => {
    const id = `1784${nextId().slice(-13)}`
    const account = { id, scopedId: nextId().slice(0, 17), username }
    accounts.set(account.id, account)
    return account
  }
  const callOf = ({ scopedId }: Account, url: string) =>
    callBack(url, app.clientSecret, { user_id: scopedId, issued_at: Math.floor(wire.clock.now() / 1000) })

  return {
    ...wire,
    app,
    grants,
    account: createAccount,
    consent,
    signIn: ({ id }, granted = scopes) => grants.issue('long', { user: id, scopes: granted }, longMs, 'IG').value,
    posts: ({ id }) => posts.filter(({ owner }) => owner === id),
    useQuota: ({ id }, count) => {
      for (let n = 0; n < count; n++) charge(id)
    },
    breakContainers: (count) => {
      containers.breaks = count
    },
    deauthorize: (account, url) => {
      grants.revoke(account.id)
      return callOf(account, url)
    },
    requestDeletion: (account, url) => callOf(account, url),
  }
}

const FieldsQuery = z.strictObject({ fields: fieldList })
const CommentQuery = z.strictObject({
  fields: fieldList,
  limit: z.coerce.number().int().min(1).max(50).default(50),
  after: z.string().optional(),
})
const ListQuery = z.strictObject({
  fields: fieldList,
  limit: z.coerce.number().int().min(1).max(100).default(25),
  since: z.string().optional(),
  until: z.string().optional(),
  after: z.string().optional(),
  before: z.string().optional(),
})

const sentences = {
  FINISHED: 'Finished: Media has been uploaded and it is ready to be published.',
  IN_PROGRESS: 'In Progress: Media is still being processed.',
  ERROR: 'Error: Media upload has failed with error code 2207026',
  EXPIRED: 'Expired: Container expired after 24 hours. Container should be published within 24 hours.',
  PUBLISHED: 'Published: Media has been published.',
}
