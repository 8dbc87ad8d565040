import { z } from 'zod'
import { Containers } from '../graph/containers.ts'
import {
  codeShapes,
  faults,
  graphError,
  graphShape,
  invalid,
  invalidParameter,
  missingObject,
  notFound,
} from '../graph/errors.ts'
import { fetchFault } from '../graph/media.ts'
import { fieldList, Params, pick } from '../graph/params.ts'
import { codeMs, liveToken, longMs, needScopes } from '../graph/tokens.ts'
import type { Call } from '../wire/call.ts'
import {
  ConsentError,
  consentPage,
  Grants,
  readAuthorize,
  redirectTo,
  secret,
  type App,
  type Consent,
  type Token,
} from '../wire/grants.ts'
import { newIds } from '../wire/numbers.ts'
import { shapesAt, startWire, type Handler, type Wire } from '../wire/wire.ts'
import { exchange, refresh, scopes, token } from './oauth.ts'
import { Create, limits, readContent, shownPost, type Content, type Post } from './posts.ts'

type Host = 'www' | 'graph'
type Route =
  | 'www GET /oauth/authorize'
  | 'graph POST /oauth/access_token'
  | 'graph GET /access_token'
  | 'graph GET /refresh_access_token'
  | 'graph GET /me'
  | 'graph POST /:user/threads'
  | 'graph POST /:user/threads_publish'
  | 'graph GET /:user/threads'
  | 'graph GET /:user/threads_publishing_limit'
  | 'graph GET /:id'
  | 'graph DELETE /:id'

export interface Account {
  id: string
  username: string
}

/** Threads on loopback: consent, tokens, containers, posts and replies. */
export interface ThreadsCounterpart extends Wire<Host, Route> {
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
}

interface Options {
  redirectUris?: string[]
  /** Status requests until a container is finished. */
  processing?: number
  /** Of an account in 24 hours. */
  postsPerDay?: number
}

/** Starts it on free ports. */
export function startThreads({
  redirectUris = [],
  processing = 0,
  postsPerDay = limits.postsPerDay,
}: Options = {}): ThreadsCounterpart {
  const app: App = { clientId: '2000', clientSecret: 'threads-secret', redirectUris }
  const accounts = new Map<string, Account>()
  const posts: Post[] = []
  const used = new Map<string, { at: number; isReply: boolean }[]>()

  const guarded = (
    needed: string[],
    handler: (params: Params, token: Token, call: Call) => Response | Promise<Response>,
  ) =>
    (async (call) => {
      const params = await Params.of(call)
      const live = liveToken(grants, wire.clock, params.token, ['short', 'long'])
      call.user = live.user
      needScopes(live, 'threads_basic', ...needed)
      const owner = call.params['user']
      if (owner !== undefined && owner !== 'me' && owner !== live.user) throw missingObject(owner)
      return handler(params, live, call)
    }) satisfies Handler

  const usedToday = (user: string, isReply: boolean) =>
    (used.get(user) ?? []).filter((each) => each.isReply === isReply && each.at > wire.clock.now() - 86_400_000).length
  const charge = (user: string, isReply: boolean) =>
    used.set(user, [...(used.get(user) ?? []), { at: wire.clock.now(), isReply }])

  const create = guarded(['threads_content_publish'], async (params, { user }) => {
    const input = params.read(Create)
    const content = await readContent(
      input,
      (id) => containers.of(id, user)?.content,
      (id) => posts.some((post) => post.id === id),
    )
    const container = containers.create(user, content, content.kind === 'TEXT' ? 0 : processing)
    if (!input.auto_publish_text) return Response.json({ id: container.id })
    if (content.kind !== 'TEXT') throw invalidParameter('auto_publish_text is only for media_type TEXT')
    return publishContainer(container.id, user)
  })

  const publishContainer = (id: string, user: string): Response => {
    const container = containers.of(id, user)
    const status = container && containers.status(container)
    if (!container || status === 'EXPIRED' || status === 'PUBLISHED' || container.content.isItem)
      throw graphError({
        code: 24,
        subcode: 4_279_009,
        message: 'The requested resource does not exist',
        title: 'Media not found',
        explanation: `The media with id ${id} cannot be found.`,
      })
    if (status !== 'FINISHED')
      throw graphError({ code: 9007, subcode: 2_207_027, message: 'Media ID is not available' })
    const { content } = container
    const isReply = content.replyTo !== null
    if (usedToday(user, isReply) >= (isReply ? limits.repliesPerDay : postsPerDay))
      throw graphError({ code: 9, subcode: 2_207_042, message: 'You reached maximum number of posts that is allowed.' })
    charge(user, isReply)
    const parent = posts.find((post) => post.id === content.replyTo)
    const made = nextId()
    container.mediaId = made
    posts.push({
      id: made,
      author: user,
      text: content.text,
      kind: content.kind,
      media: content.media.map(({ file, alt }) => ({ url: file.url, type: file.type, alt, bytes: file.bytes.length })),
      link: content.link,
      replyTo: content.replyTo,
      root: parent?.root ?? made,
      createdAt: new Date(wire.clock.now()).toISOString(),
      shortcode: secret(8),
    })
    return Response.json({ id: made })
  }

  const publish = guarded(['threads_content_publish'], (params, { user }) =>
    publishContainer(params.read(z.strictObject({ creation_id: z.string().regex(/^\d+$/) })).creation_id, user),
  )

  const list = guarded([], (params, { user }) => {
    const { fields, limit, since, until, after } = params.read(ListQuery)
    const own = posts
      .filter(({ author, replyTo }) => author === user && !replyTo)
      .filter(({ createdAt }) => !since || Date.parse(createdAt) >= momentOf(since))
      .filter(({ createdAt }) => !until || Date.parse(createdAt) <= momentOf(until))
      .toReversed()
    const start = own.findIndex(({ id }) => id === after) + 1
    const page = own.slice(start, start + limit)
    const data = page.map((post) => pick(shownPost(post, accounts.get(user)?.username ?? ''), fields, 'ThreadsMedia'))
    const last = page.at(-1)
    return Response.json({ data, ...(last && { paging: { cursors: { before: page[0]?.id, after: last.id } } }) })
  })

  const quota = guarded(['threads_content_publish'], (params, { user }) => {
    const { fields } = params.read(FieldsQuery)
    const node = {
      quota_usage: usedToday(user, false),
      config: { quota_total: postsPerDay, quota_duration: 86_400 },
      reply_quota_usage: usedToday(user, true),
      reply_config: { quota_total: limits.repliesPerDay, quota_duration: 86_400 },
    }
    return Response.json({ data: [pick(node, fields ?? 'quota_usage', 'ThreadsPublishingLimit', [])] })
  })

  const node = guarded([], (params, { user }, call) => {
    const { fields } = params.read(FieldsQuery)
    const id = call.param('id')
    const container = containers.of(id, user)
    if (container) {
      const status = containers.status(container)
      if (!fields || fields.includes('status')) container.busy -= 1
      const error_message = status === 'ERROR' ? 'FAILED_PROCESSING_VIDEO' : undefined
      return Response.json(pick({ id, status, error_message }, fields, 'ThreadsContainer'))
    }
    const post = posts.find((each) => each.id === id && each.author === user)
    if (!post) throw missingObject(id)
    return Response.json(pick(shownPost(post, accounts.get(user)?.username ?? ''), fields, 'ThreadsMedia'))
  })

  const wire: Wire<Host, Route> = startWire<Host, Route>({
    hosts: ['www', 'graph'],
    routes: {
      'www GET /oauth/authorize': ({ path, query }) => {
        const href = `${wire.urls.www}${path}?${query}`
        const account = [...accounts.values()][0] ?? createAccount('ada')
        return consentPage({
          Allow: () => consent(href, account),
          Cancel: () => consent(href, account, { allows: false }),
        })
      },
      'graph POST /oauth/access_token': (call) => token(call, app, grants),
      'graph GET /access_token': async (call) => exchange(await Params.of(call), app, grants, wire.clock),
      'graph GET /refresh_access_token': async (call) => refresh(await Params.of(call), grants, wire.clock),
      'graph GET /me': guarded([], (params, { user }) => {
        const { fields } = params.read(FieldsQuery)
        const username = accounts.get(user)?.username ?? ''
        const me = {
          id: user,
          username,
          name: username.toUpperCase(),
          threads_profile_picture_url: 'https://scontent.cdninstagram.com/a.jpg',
          threads_biography: '',
          is_verified: false,
        }
        return Response.json(pick(me, fields, 'ThreadsUser'))
      }),
      'graph POST /:user/threads': create,
      'graph POST /:user/threads_publish': publish,
      'graph GET /:user/threads': list,
      'graph GET /:user/threads_publishing_limit': quota,
      'graph GET /:id': node,
      'graph DELETE /:id': guarded(['threads_delete'], (_, { user }, call) => {
        const at = posts.findIndex(({ id, author }) => id === call.param('id') && author === user)
        if (at < 0) throw missingObject(call.param('id'))
        posts.splice(at, 1)
        return Response.json({ success: true, deleted_id: call.param('id') })
      }),
    },
    shapes: shapesAt((route) => route.endsWith('POST /oauth/access_token'), codeShapes, {
      unauthorized: () => graphShape(faults.unreadableToken),
      forbidden: () => graphShape(faults.noPermission),
      rate_limited: () => graphShape(faults.rateLimited, usage(100)),
      server_error: () => graphShape(faults.unavailable),
      expired_token: () => graphShape(faults.expiredToken),
      revoked_token: () => graphShape(faults.revokedToken),
      media_refused: () => graphShape(fetchFault),
    }),
    notFound,
    invalid,
    unversioned: (path) => path.replace(/^\/v1\.0(?=\/)/, ''),
    headers: (call) => (call.host === 'graph' ? usage(1) : {}),
  })
  const nextId = newIds(wire.clock)
  const grants = new Grants(wire.clock)
  const containers = new Containers<Content>(wire.clock, nextId)

  const consent: ThreadsCounterpart['consent'] = (authorizeUrl, account, { allows = true, without = [] } = {}) => {
    const query = readAuthorize(authorizeUrl, app, { at: `${wire.urls.www}/oauth/authorize`, required: ['scope'] })
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
    const account = { id: nextId().slice(0, 17), username }
    accounts.set(account.id, account)
    return account
  }

  return {
    ...wire,
    app,
    grants,
    account: createAccount,
    consent,
    signIn: ({ id }, granted = scopes) => grants.issue('long', { user: id, scopes: granted }, longMs, 'TH').value,
    posts: ({ id }) => posts.filter(({ author }) => author === id),
    useQuota: ({ id }, count) => {
      for (let n = 0; n < count; n++) charge(id, false)
    },
    breakContainers: (count) => {
      containers.breaks = count
    },
  }
}

const FieldsQuery = z.strictObject({ fields: fieldList })
const ListQuery = z.strictObject({
  fields: fieldList,
  limit: z.coerce.number().int().min(1).max(100).default(25),
  since: z.string().optional(),
  until: z.string().optional(),
  after: z.string().optional(),
  before: z.string().optional(),
})

/** Seconds since 1970, or a date. */
const momentOf = (text: string): number => (/^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text))

const usage = (percent: number): Record<string, string> => ({
  'x-app-usage': JSON.stringify({ call_count: percent, total_time: percent, total_cputime: percent }),
})
