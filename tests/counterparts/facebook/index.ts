import { z } from 'zod'
import { faults, graphError, graphShape, invalid, missingObject, notFound } from '../graph/errors.ts'
import { fetchFault } from '../graph/media.ts'
import { fieldList, Params, pick } from '../graph/params.ts'
import { callBack } from '../graph/signed-request.ts'
import { codeMs, liveToken, longMs, needScopes } from '../graph/tokens.ts'
import { usageHeaders } from '../graph/usage.ts'
import type { Call } from '../wire/call.ts'
import { consentPage, Grants, readAuthorize, redirectTo, type App, type Consent, type Token } from '../wire/grants.ts'
import { newIds } from '../wire/numbers.ts'
import { startWire, type Handler, type Wire } from '../wire/wire.ts'
import { Board } from './board.ts'
import { Directory, type Group, type Page, type Person } from './directory.ts'
import { describe, readScopes, scopes, token } from './oauth.ts'
import { readFeed, readPhoto, readVideo, shownComment, shownPost, shownVideo, type Post } from './posts.ts'
import { Uploads } from './uploads.ts'

type Host = 'www' | 'graph'
type Route =
  | 'www GET /dialog/oauth'
  | `graph ${'GET' | 'POST'} /oauth/access_token`
  | 'graph GET /debug_token'
  | 'graph GET /me'
  | 'graph GET /me/accounts'
  | 'graph GET /me/groups'
  | `graph ${'GET' | 'DELETE'} /me/permissions`
  | 'graph POST /:app/uploads'
  | `graph ${'GET' | 'POST'} /:id/feed`
  | 'graph GET /:id/published_posts'
  | 'graph POST /:id/photos'
  | 'graph POST /:id/videos'
  | `graph ${'GET' | 'POST'} /:id/comments`
  | `graph ${'GET' | 'POST' | 'DELETE'} /:id`

/** Facebook's Pages on loopback: the login dialog, Page tokens, posts, photos, videos, comments, and Groups, which Meta withdrew. */
export interface FacebookCounterpart extends Wire<Host, Route> {
  app: App
  grants: Grants
  directory: Directory
  /** Answers the dialog as the person; returns the redirect address. @throws {ConsentError} */
  consent(authorizeUrl: string, person: Person, consent?: Consent): string
  /** A user token of 60 days, for all Pages or the chosen ones. */
  signIn(person: Person, granted?: string[], pages?: Page[]): string
  /** A Page token without an end. */
  pageToken(person: Person, page: Page, granted?: string[]): string
  /** The posts of a Page or Group, oldest first. */
  posts(owner: Page | Group): Post[]
  /** The next resumable upload breaks off after so many bytes. */
  breakUpload(afterBytes: number): void
  /** The next videos fail in processing. */
  breakVideos(count: number): void
  /** Usage in percent that responses report. */
  reportUsage(percent: number): void
  /** Removes the app from the person's account and calls the app's address for that. */
  deauthorize(person: Person, callbackUrl: string): Promise<Response>
}

interface Options {
  redirectUris?: string[]
  /** Status requests until a video is ready. */
  processing?: number
  /** Accepts posts to Groups, as Meta did until April 2024. */
  hasGroups?: boolean
  /** Refuses a message that the Page posted before, as Facebook does. Off, so that tests see duplicates. */
  refusesDuplicates?: boolean
}

const foreverMs = 100 * 365 * 86_400_000
const posting = ['pages_manage_posts', 'pages_read_engagement']

/** Starts it on free ports. */
export function startFacebook({
  redirectUris = [],
  processing = 0,
  hasGroups = false,
  refusesDuplicates = false,
}: Options = {}): FacebookCounterpart {
  const app: App = { clientId: '4000', clientSecret: 'facebook-secret', redirectUris }
  let usagePercent = 1

  const authenticate = (params: Params, call: Call): Token => {
    const live = liveToken(grants, wire.clock, params.token, ['short', 'long', 'page'])
    const proof = new Bun.CryptoHasher('sha256', app.clientSecret).update(live.value).digest('hex')
    if (params.proof !== null && params.proof !== proof)
      throw graphError({ code: 100, message: 'Invalid appsecret_proof provided in the API argument' })
    call.user = live.user
    return live
  }
  const guarded = (handler: (params: Params, token: Token, call: Call) => Response | Promise<Response>) =>
    (async (call) => {
      const params = await Params.of(call)
      return handler(params, authenticate(params, call), call)
    }) satisfies Handler
  /** For the Page of the path, by its own token. */
  const ofPage = (handler: (params: Params, page: Page) => Response | Promise<Response>, ...needed: string[]) =>
    guarded((params, live, call) => {
      const page = directory.pageOf(live, call.param('id'))
      needScopes(live, ...needed)
      return handler(params, page)
    })

  /** For the Group of the path, as until April 2024, or else for the Page. */
  const ofOwner = (handler: (params: Params, owner: string) => Response | Promise<Response>, ...needed: string[]) =>
    guarded((params, live, call) => {
      const group = directory.groups.get(call.param('id'))
      if (group && !hasGroups)
        throw graphError({
          code: 3,
          message: '(#3) Application does not have the capability to make this API call.',
        })
      if (group) return handler(params, group.id)
      const page = directory.pageOf(live, call.param('id'))
      needScopes(live, ...needed)
      return handler(params, page.id)
    })

  const feed = ofOwner(
    (params, owner) => {
      const { message, link, media } = readFeed(params)
      return Response.json({ id: board.publish(owner, { message, link, photos: board.attach(owner, media) }).id })
    },
    ...posting,
  )

  const photo = ofOwner(
    async (params, owner) => {
      const { message, alt, bytes, isPublished } = await readPhoto(params)
      const made = board.addPhoto(owner, { alt, bytes, isUsed: isPublished })
      if (!isPublished) return Response.json({ id: made.id })
      return Response.json({ id: made.id, post_id: board.publish(owner, { message, photos: [made] }).id })
    },
    ...posting,
  )

  const video = ofOwner(
    async (params, owner) => Response.json({ id: board.addVideo(owner, await readVideo(params, uploads)) }),
    ...posting,
  )

  const listOf = (params: Params, id: string) => {
    const { fields, limit, since, after } = params.read(ListQuery)
    const own = board.posts
      .filter(({ owner, createdAt }) => owner === id && (!since || Date.parse(createdAt) >= Number(since) * 1000))
      .toReversed()
    const start = own.findIndex((post) => post.id === after) + 1
    const data = own.slice(start, start + limit).map((post) => pick(shownPost(post), fields, 'Post'))
    return Response.json({ data, paging: { cursors: { after: own[start + limit - 1]?.id } } })
  }
  const published = ofPage((params, { id }) => listOf(params, id), 'pages_read_engagement')

  const groups = guarded((params, live) => {
    if (!hasGroups) throw graphError({ code: 100, message: '(#100) Tried accessing nonexisting field (groups)' })
    const { fields, limit, after } = params.read(ListQuery)
    const all = directory.groupsOf(live).map((group) => ({ ...group, administrator: true }))
    const start = all.findIndex(({ id }) => id === after) + 1
    const data = all.slice(start, start + limit).map((group) => pick(group, fields ?? 'id,name', 'Group'))
    return Response.json({ data, paging: { cursors: { after: all[start + limit - 1]?.id } } })
  })

  const accounts = guarded((params, live) => {
    needScopes(live, 'pages_show_list')
    const { fields, limit, after } = params.read(ListQuery)
    const all = live.kind === 'page' ? [] : directory.pagesOf(live)
    const start = all.findIndex(({ id }) => id === after) + 1
    const page = all.slice(start, start + limit)
    const data = page.map((each) => pick(shownPage(each, live), fields ?? 'access_token,category,name,tasks', 'Page'))
    const next = all[start + limit] ? `${wire.urls.graph}/me/accounts?after=${page.at(-1)?.id}` : undefined
    return Response.json({ data, paging: { cursors: { before: page[0]?.id, after: page.at(-1)?.id }, next } })
  })
  const shownPage = (page: Page, live: Token) => ({
    id: page.id,
    name: page.name,
    category: 'Business',
    tasks: ['ADVERTISE', 'ANALYZE', 'CREATE_CONTENT', 'MESSAGING', 'MODERATE', 'MANAGE'],
    link: `https://www.facebook.com/${page.id}`,
    username: undefined,
    picture: { data: { url: `https://graph.facebook.com/${page.id}/picture` } },
    followers_count: 1,
    access_token: grants.issue(
      'page',
      { ...live, choices: [page.id] },
      live.kind === 'short' ? live.expiresAt - wire.clock.now() : foreverMs,
      'EAAP',
    ).value,
  })

  const comment = guarded((params, live, call) => {
    const { message } = params.read(z.strictObject({ message: z.string().min(1).max(8000) }))
    const post = board.post(call.param('id'))
    directory.pageOf(live, post.owner)
    needScopes(live, 'pages_manage_engagement')
    const createdAt = new Date(wire.clock.now()).toISOString()
    const made = { id: `${post.id.split('_')[1]}_${nextId()}`, message, from: post.owner, createdAt }
    post.comments.push(made)
    return Response.json({ id: made.id })
  })

  const listComments = guarded((params, live, call) => {
    const { fields, limit, after, order } = params.read(CommentQuery)
    const post = board.post(call.param('id'))
    directory.pageOf(live, post.owner)
    needScopes(live, 'pages_read_engagement')
    const all = order === 'reverse_chronological' ? post.comments.toReversed() : post.comments
    const start = all.findIndex(({ id }) => id === after) + 1
    const page = all.slice(start, start + limit)
    const shown = page.map((each) => pick(shownComment(each, post), fields ?? 'created_time,from,message', 'Comment'))
    return Response.json({ data: shown, paging: { cursors: { before: page[0]?.id, after: page.at(-1)?.id } } })
  })

  const node = guarded((params, live, call) => {
    const id = call.param('id')
    if (id.startsWith('upload:')) return uploads.progress(id, live.user)
    const { fields } = params.read(FieldsQuery)
    const page = directory.pages.get(id)
    if (page && directory.hasRole(live.user, id) && live.choices.includes(id))
      return Response.json(pick(shownPage(page, live), fields, 'Page', ['id', 'name']))
    const found = board.video(id)
    const { owner } = found ?? board.post(id)
    if (live.choices[0] !== owner && !directory.groups.has(owner)) throw missingObject(id)
    if (!found) return Response.json(pick(shownPost(board.post(id)), fields, 'Post'))
    const shown = pick(shownVideo(found), fields, 'Video')
    if (fields?.includes('status')) found.busy -= 1
    return Response.json(shown)
  })

  /** Changes a post's message, or takes bytes of an upload. */
  const change = async (call: Call): Promise<Response> => {
    const id = call.param('id')
    if (id.startsWith('upload:')) {
      const value = /^OAuth (\S+)$/.exec(call.headers.get('authorization') ?? '')?.[1] ?? null
      const live = liveToken(grants, wire.clock, value, ['short', 'long', 'page'])
      call.user = live.user
      return uploads.append(call, live.user)
    }
    const params = await Params.of(call)
    const live = authenticate(params, call)
    const post = board.post(id)
    directory.pageOf(live, post.owner)
    needScopes(live, ...posting)
    post.message = params.read(z.strictObject({ message: z.string().min(1) })).message
    return Response.json({ success: true })
  }

  const remove = guarded((_, live, call) => {
    const post = board.post(call.param('id'))
    if (!directory.groups.has(post.owner)) {
      directory.pageOf(live, post.owner)
      needScopes(live, ...posting)
    }
    board.remove(post)
    return Response.json({ success: true })
  })

  const exchange: Handler = async (call) => {
    const isExchange = `${call.query} ${call.text}`.includes('grant_type=fb_exchange_token')
    return token(await Params.of(call), isExchange, app, grants, wire.clock)
  }

  const wire: Wire<Host, Route> = startWire<Host, Route>({
    hosts: ['www', 'graph'],
    routes: {
      'www GET /dialog/oauth': ({ path, query }) => {
        const href = `${wire.urls.www}${path}?${query}`
        const person = [...directory.people.values()][0] ?? directory.person('Ada')
        return consentPage({
          Continue: () => consent(href, person),
          Cancel: () => consent(href, person, { allows: false }),
        })
      },
      'graph GET /oauth/access_token': exchange,
      'graph POST /oauth/access_token': exchange,
      'graph GET /debug_token': async (call) => describe(await Params.of(call), app, grants, wire.clock),
      'graph GET /me': guarded((params, { user }) => {
        const me = { id: user, name: directory.people.get(user)?.name }
        return Response.json(pick(me, params.read(FieldsQuery).fields, 'User', ['id', 'name']))
      }),
      'graph GET /me/accounts': accounts,
      'graph GET /me/groups': groups,
      'graph GET /me/permissions': guarded((_, live) =>
        Response.json({
          data: scopes.map((permission) => ({
            permission,
            status: live.scopes.includes(permission) ? 'granted' : 'declined',
          })),
        }),
      ),
      'graph DELETE /me/permissions': guarded((_, { user }) => {
        grants.revoke(user)
        return Response.json({ success: true })
      }),
      'graph POST /:app/uploads': guarded((params, { user }, call) => {
        if (call.param('app') !== app.clientId) throw missingObject(call.param('app'))
        return uploads.start(params, user)
      }),
      'graph POST /:id/feed': feed,
      'graph GET /:id/feed': ofOwner(listOf, 'pages_read_engagement'),
      'graph GET /:id/published_posts': published,
      'graph POST /:id/photos': photo,
      'graph POST /:id/videos': video,
      'graph GET /:id/comments': listComments,
      'graph POST /:id/comments': comment,
      'graph GET /:id': node,
      'graph POST /:id': change,
      'graph DELETE /:id': remove,
    },
    shapes: {
      unauthorized: () => graphShape(faults.unreadableToken),
      forbidden: () => graphShape(faults.denied),
      rate_limited: () => graphShape(faults.rateLimited, usageHeaders('4000', 'pages', 100, 30)),
      server_error: () => graphShape(faults.unavailable),
      expired_token: () => graphShape(faults.expiredToken),
      revoked_token: () => graphShape(faults.revokedToken),
      media_refused: () => graphShape({ ...fetchFault, code: 324, message: '(#324) Missing or invalid image file' }),
    },
    notFound,
    invalid,
    unversioned: (path) => path.replace(/^\/v\d+\.0(?=\/)/, ''),
    headers: (call) => (call.host === 'graph' ? usageHeaders('4000', 'pages', usagePercent) : {}),
  })
  const nextId = newIds(wire.clock)
  const grants = new Grants(wire.clock)
  const directory = new Directory(nextId)
  const uploads = new Uploads()
  const board = new Board({ nextId, now: () => wire.clock.now(), processing, refusesDuplicates })

  const consent: FacebookCounterpart['consent'] = (authorizeUrl, person, options = {}) => {
    const query = readAuthorize(authorizeUrl.replace(/\/v\d+\.0\/dialog/, '/dialog'), app, {
      at: `${wire.urls.www}/dialog/oauth`,
      required: ['scope'],
      optional: ['auth_type', 'config_id', 'display'],
    })
    const { redirect_uri: redirectUri = '', state = '', scope = '' } = query
    const requested = readScopes(scope)
    if (options.allows === false)
      return redirectTo(redirectUri, {
        error: 'access_denied',
        error_code: '200',
        error_description: 'Permissions error',
        error_reason: 'user_denied',
        state,
      })
    const granted = requested.filter((each) => !options.without?.includes(each))
    const choices = options.chooses ?? allPages(person)
    const code = grants.code({ user: person.id, scopes: granted, redirectUri, challenge: null, choices }, codeMs)
    return `${redirectTo(redirectUri, { code, state })}#_=_`
  }
  const allPages = ({ id }: Person) => [...directory.pages.keys()].filter((page) => directory.hasRole(id, page))

  return {
    ...wire,
    app,
    grants,
    directory,
    consent,
    signIn: (person, granted = scopes, pages) => {
      const choices = pages?.map(({ id }) => id) ?? allPages(person)
      return grants.issue('long', { user: person.id, scopes: granted, choices }, longMs, 'EAA').value
    },
    pageToken: ({ id: user }, { id }, granted = scopes) =>
      grants.issue('page', { user, scopes: granted, choices: [id] }, foreverMs, 'EAAP').value,
    posts: ({ id }) => board.posts.filter(({ owner }) => owner === id),
    breakUpload: (afterBytes) => {
      uploads.breaksAfter = afterBytes
    },
    breakVideos: (count) => {
      board.breaks = count
    },
    reportUsage: (percent) => {
      usagePercent = percent
    },
    deauthorize: ({ id }, url) => {
      grants.revoke(id)
      return callBack(url, app.clientSecret, { user_id: id, issued_at: Math.floor(wire.clock.now() / 1000) })
    },
  }
}

const FieldsQuery = z.strictObject({ fields: fieldList })
const CommentQuery = z.strictObject({
  fields: fieldList,
  limit: z.coerce.number().int().min(1).max(100).default(25),
  filter: z.enum(['stream', 'toplevel']).optional(),
  order: z.enum(['chronological', 'reverse_chronological']).default('chronological'),
  after: z.string().optional(),
})
const ListQuery = z.strictObject({
  fields: fieldList,
  limit: z.coerce.number().int().min(1).max(100).default(25),
  since: z.string().regex(/^\d+$/).optional(),
  after: z.string().optional(),
})
