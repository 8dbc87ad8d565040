import { z } from 'zod'
import type { Call } from '../wire/call.ts'
import { consentPage, Grants, readAuthorize, redirectTo, type App, type Consent } from '../wire/grants.ts'
import { newIds } from '../wire/numbers.ts'
import { shapesAt, startWire, type Handler, type Wire } from '../wire/wire.ts'
import { Directory, shownOrganization, type Member, type Organization } from './directory.ts'
import {
  accessDenied,
  badRequest,
  duplicate,
  expiredToken,
  invalid,
  invalidToken,
  notFound,
  revokedToken,
  shapes,
  versionDead,
  versionMissing,
} from './errors.ts'
import { Assets } from './media.ts'
import { codeMs, LinkedInTokens, oauthShapes, scopesOf, type Product } from './oauth.ts'
import { editPost, readComment, readPost, shownPost, type Post } from './posts.ts'

type Host = 'www' | 'api' | 'upload'
type Route =
  | 'www GET /oauth/v2/authorization'
  | 'www POST /oauth/v2/accessToken'
  | 'www POST /oauth/v2/revoke'
  | 'api GET /v2/userinfo'
  | 'api GET /v2/me'
  | 'api GET /rest/organizationAcls'
  | 'api GET /rest/organizations/:id'
  | 'api GET /rest/posts'
  | 'api POST /rest/posts'
  | `api ${'GET' | 'POST' | 'DELETE'} /rest/posts/:urn`
  | `api ${'GET' | 'POST'} /rest/socialActions/:urn/comments`
  | `api POST /rest/${'image' | 'video' | 'document'}s`
  | `api GET /rest/${'image' | 'video' | 'document'}s/:urn`
  | 'upload PUT /dms-uploads/:urn/:part'

/** LinkedIn on loopback: consent, members and organizations, versioned posts, uploads and comments. */
export interface LinkedInCounterpart extends Wire<Host, Route> {
  apps: Record<Product, App>
  grants: Grants
  directory: Directory
  /** Answers the consent page as the member; returns the redirect address. @throws {ConsentError} */
  consent(authorizeUrl: string, member: Member, consent?: Consent): string
  /** Tokens as the token endpoint gives them. */
  signIn(member: Member, product?: Product): ReturnType<LinkedInTokens['issue']>
  /** The posts of a member or organization, oldest first. */
  posts(author: Member | Organization): Post[]
  /** Ends a version before its time. */
  sunset(version: string): void
  /** The next uploads fail in processing. */
  breakUploads(count: number): void
}

interface Options {
  redirectUris?: string[]
  /** Gives refresh tokens, as approved partners get. */
  isPartner?: boolean
  /** Status requests until an upload is ready. */
  processing?: number
  /** Bytes of a part of a video. */
  partBytes?: number
  /** Refuses a text that the author posted before, as LinkedIn does. Off, so that tests see duplicates. */
  refusesDuplicates?: boolean
}

/** Starts it on free ports. */
export function startLinkedIn({
  redirectUris = [],
  isPartner = false,
  processing = 0,
  partBytes = 4_194_304,
  refusesDuplicates = false,
}: Options = {}): LinkedInCounterpart {
  const apps: Record<Product, App> = {
    member: { clientId: 'li-member', clientSecret: 'li-member-secret', redirectUris },
    page: { clientId: 'li-page', clientSecret: 'li-page-secret', redirectUris },
  }
  const posts: Post[] = []
  const dead = new Set<string>()

  const scopesOfCall = (call: Call) => grants.find(call.bearer)?.scopes ?? []
  const authenticate = (call: Call): void => {
    const token = grants.find(call.bearer)
    if (token?.kind !== 'access') throw invalidToken()
    if (token.state === 'revoked') throw revokedToken()
    if (token.expiresAt <= wire.clock.now()) throw expiredToken()
    call.user = token.user
  }
  const needOneOf = (call: Call, resource: string, ...scopes: string[]): void => {
    if (!scopes.some((scope) => scopesOfCall(call).includes(scope))) throw accessDenied(resource)
  }
  /** Versions live for twelve months after theirs. */
  const checkVersion = (call: Call): void => {
    const version = call.headers.get('linkedin-version')
    if (!version) throw versionMissing()
    const [, year, month] = /^(\d{4})(0[1-9]|1[0-2])$/.exec(version) ?? []
    const now = new Date(wire.clock.now())
    const age = (now.getUTCFullYear() - Number(year)) * 12 + now.getUTCMonth() + 1 - Number(month)
    if (!year || !month || dead.has(version) || !(age >= 0 && age < 12)) throw versionDead(version)
    if (call.headers.get('x-restli-protocol-version') !== '2.0.0')
      throw badRequest('X-Restli-Protocol-Version must be 2.0.0')
  }
  const versioned = (handler: Handler) =>
    ((call) => {
      authenticate(call)
      checkVersion(call)
      return handler(call)
    }) satisfies Handler
  const canWriteAs = (call: Call, author: string): boolean => {
    const id = author.split(':').at(-1) ?? ''
    if (author.startsWith('urn:li:person:')) return id === call.user && scopesOfCall(call).includes('w_member_social')
    return scopesOfCall(call).includes('w_organization_social') && directory.canPostFor(call.user, id)
  }
  const found = (call: Call): Post => {
    const post = posts.find(({ urn }) => urn === call.param('urn'))
    if (!post) throw notFound(call.param('urn'))
    return post
  }

  const create = (call: Call): Response => {
    const made = { id: nextId(), at: wire.clock.now() }
    const { author } = z.object({ author: z.string().default('') }).parse(safeJson(call.text))
    if (author && !canWriteAs(call, author)) throw accessDenied('partnerApiPostsExternal.CREATE')
    const post = readPost(call, (urn, by) => assets.attached(urn, by), made)
    const same = posts.find((each) => each.author === post.author && each.commentary === post.commentary)
    if (refusesDuplicates && same) throw duplicate(same.urn)
    posts.push(post)
    return new Response(null, { status: 201, headers: { 'x-restli-id': post.urn, 'x-linkedin-id': post.urn } })
  }

  const find = (call: Call): Response => {
    const { author, count, start } = call.search(FindQuery)
    if (author.startsWith('urn:li:person:')) throw accessDenied('partnerApiPostsExternal.FINDER-author')
    needOneOf(call, 'partnerApiPostsExternal.FINDER-author', 'r_organization_social')
    if (!directory.canPostFor(call.user, author.split(':').at(-1) ?? ''))
      throw accessDenied('partnerApiPostsExternal.FINDER-author')
    const own = posts.filter((post) => post.author === author).toReversed()
    const elements = own.slice(start, start + count).map(shownPost)
    return Response.json({ paging: { start, count, links: [], total: own.length }, elements })
  }

  const update = (call: Call): Response => {
    if (call.headers.get('x-restli-method')?.toUpperCase() !== 'PARTIAL_UPDATE')
      throw badRequest('X-RestLi-Method must be PARTIAL_UPDATE')
    const post = found(call)
    if (!canWriteAs(call, post.author)) throw accessDenied('partnerApiPostsExternal.PARTIAL_UPDATE')
    editPost(call, post, wire.clock.now())
    return new Response(null, { status: 204 })
  }

  const comment = (call: Call): Response => {
    const post = found(call)
    const { actor, object, message } = readComment(call)
    if (object !== post.urn) throw badRequest('object is not the entity of the path')
    if (!canWriteAs(call, actor)) throw accessDenied('partnerApiSocialActions.CREATE-comments')
    const made = { id: nextId(), actor, text: message.text }
    post.comments.push(made)
    const commentUrn = `urn:li:comment:(${activityOf(post)},${made.id})`
    const created = { actor, time: wire.clock.now() }
    return Response.json(
      {
        id: made.id,
        commentUrn,
        object: activityOf(post),
        actor,
        message: { text: made.text, attributes: [] },
        created,
      },
      { status: 201, headers: { 'x-restli-id': made.id } },
    )
  }

  const acls = (call: Call): Response => {
    needOneOf(call, 'partnerApiOrganizationAcls.FINDER-roleAssignee', 'rw_organization_admin', 'r_organization_admin')
    const { role, count, start } = call.search(AclQuery)
    const all = directory.rolesOf(call.user).filter((each) => !role || each.role === role)
    const elements = all.slice(start, start + count).map((each) => ({
      organization: `urn:li:organization:${each.organization}`,
      role: each.role,
      roleAssignee: `urn:li:person:${call.user}`,
      state: 'APPROVED',
    }))
    return Response.json({ elements, paging: { start, count, links: [], total: all.length } })
  }

  const uploads = (kind: 'image' | 'video' | 'document') => versioned((call) => assets.initialize(call, kind))
  const statuses = (kind: 'image' | 'video' | 'document') => versioned((call) => assets.status(call, kind))

  const wire: Wire<Host, Route> = startWire<Host, Route>({
    hosts: ['www', 'api', 'upload'],
    routes: {
      'www GET /oauth/v2/authorization': ({ path, query }) => {
        const href = `${wire.urls.www}${path}?${query}`
        const member = [...directory.members.values()][0] ?? directory.member('Ada')
        return consentPage({
          Allow: () => consent(href, member),
          Cancel: () => consent(href, member, { allows: false }),
        })
      },
      'www POST /oauth/v2/accessToken': (call) => tokens.token(call),
      'www POST /oauth/v2/revoke': (call) => tokens.revoke(call),
      'api GET /v2/userinfo': (call) => {
        authenticate(call)
        needOneOf(call, 'userinfo.GET', 'openid')
        const name = directory.members.get(call.user)?.name ?? ''
        const [given_name, ...rest] = name.split(' ')
        const locale = { country: 'US', language: 'en' }
        return Response.json({ sub: call.user, name, given_name, family_name: rest.join(' '), locale })
      },
      'api GET /v2/me': (call) => {
        authenticate(call)
        needOneOf(call, 'me.GET', 'r_basicprofile')
        const [first, ...rest] = (directory.members.get(call.user)?.name ?? '').split(' ')
        return Response.json({ id: call.user, localizedFirstName: first, localizedLastName: rest.join(' ') })
      },
      'api GET /rest/organizationAcls': versioned(acls),
      'api GET /rest/organizations/:id': versioned((call) => {
        needOneOf(call, 'partnerApiOrganizations.GET', 'rw_organization_admin', 'r_organization_admin')
        const organization = directory.organizations.get(call.param('id'))
        if (!organization) throw notFound(call.param('id'))
        return Response.json(shownOrganization(organization))
      }),
      'api GET /rest/posts': versioned(find),
      'api POST /rest/posts': versioned(create),
      'api GET /rest/posts/:urn': versioned((call) => {
        needOneOf(call, 'partnerApiPostsExternal.GET', 'r_organization_social')
        return Response.json(shownPost(found(call)))
      }),
      'api POST /rest/posts/:urn': versioned(update),
      'api DELETE /rest/posts/:urn': versioned((call) => {
        const at = posts.findIndex(({ urn }) => urn === call.param('urn'))
        const post = posts[at]
        if (post && !canWriteAs(call, post.author)) throw accessDenied('partnerApiPostsExternal.DELETE')
        if (post) posts.splice(at, 1)
        return new Response(null, { status: 204 })
      }),
      'api POST /rest/socialActions/:urn/comments': versioned(comment),
      'api GET /rest/socialActions/:urn/comments': versioned((call) => {
        needOneOf(call, 'partnerApiSocialActions.GET-comments', 'r_organization_social')
        const elements = found(call).comments.map(({ id, actor, text }) => ({ id, actor, message: { text } }))
        return Response.json({ elements, paging: { start: 0, count: elements.length, links: [] } })
      }),
      'api POST /rest/images': uploads('image'),
      'api POST /rest/videos': uploads('video'),
      'api POST /rest/documents': uploads('document'),
      'api GET /rest/images/:urn': statuses('image'),
      'api GET /rest/videos/:urn': statuses('video'),
      'api GET /rest/documents/:urn': statuses('document'),
      'upload PUT /dms-uploads/:urn/:part': (call) => assets.put(call),
    },
    shapes: shapesAt((route) => route.includes('/oauth/'), oauthShapes, shapes),
    notFound: () =>
      Response.json({ status: 404, code: 'RESOURCE_NOT_FOUND', message: 'No virtual resource found' }, { status: 404 }),
    invalid,
  })
  const nextId = newIds(wire.clock)
  const now = () => wire.clock.now()
  const grants = new Grants(wire.clock)
  const directory = new Directory(nextId)
  const tokens = new LinkedInTokens(Object.values(apps), grants, now, isPartner)
  const assets = new Assets({ nextId, now, uploadUrl: () => wire.urls.upload, canWriteAs, processing, partBytes })

  const consent: LinkedInCounterpart['consent'] = (authorizeUrl, member, { allows = true, without = [] } = {}) => {
    const product: Product = authorizeUrl.includes(apps.page.clientId) ? 'page' : 'member'
    const query = readAuthorize(authorizeUrl, apps[product], {
      at: `${wire.urls.www}/oauth/v2/authorization`,
      required: ['scope'],
    })
    const { redirect_uri: redirectUri = '', state = '', scope = '' } = query
    const refused = scope.split(' ').find((each) => !scopesOf[product].includes(each))
    const back = (error: string, error_description: string) =>
      redirectTo(redirectUri, { error, error_description, state })
    if (refused !== undefined)
      return back('unauthorized_scope_error', `Scope "${refused}" is not authorized for your application`)
    if (!allows) return back('user_cancelled_authorize', 'The user cancelled the authorization')
    const scopes = scope.split(' ').filter((each) => !without.includes(each))
    const code = grants.code({ user: member.id, scopes, redirectUri, challenge: null, choices: [] }, codeMs)
    return redirectTo(redirectUri, { code, state })
  }

  return {
    ...wire,
    apps,
    grants,
    directory,
    consent,
    signIn: ({ id }, product = 'member') => tokens.issue(id, scopesOf[product]),
    posts: ({ urn }) => posts.filter(({ author }) => author === urn),
    sunset: (version) => dead.add(version),
    breakUploads: (count) => {
      assets.breaks = count
    },
  }
}

const page = {
  start: z.coerce.number().int().min(0).default(0),
  count: z.coerce.number().int().min(1).max(100).default(10),
}
const FindQuery = z.strictObject({
  q: z.literal('author'),
  author: z.string().regex(/^urn:li:(person|organization):[\w-]+$/),
  sortBy: z.enum(['LAST_MODIFIED', 'CREATED']).optional(),
  isDsc: z.literal('false').optional(),
  ...page,
})
const AclQuery = z.strictObject({
  q: z.literal('roleAssignee'),
  role: z.enum(['ADMINISTRATOR', 'CONTENT_ADMIN', 'ANALYST', 'DIRECT_SPONSORED_CONTENT_POSTER']).optional(),
  state: z.literal('APPROVED').optional(),
  ...page,
})

const activityOf = ({ urn }: Post): string => `urn:li:activity:${urn.split(':').at(-1)}`

function safeJson(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value ? value : {}
  } catch {
    return {}
  }
}
