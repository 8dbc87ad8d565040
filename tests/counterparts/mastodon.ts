import { Faults } from './faults.ts'
import { software, type Software, type SoftwareName } from './mastodon-software.ts'

/** A Mastodon instance on loopback: apps, consent, media, statuses. */
export interface MastodonCounterpart {
  url: string
  host: string
  faults: Faults
  /** Follows the consent page as a browser does; returns the redirect URL. */
  consent(authorizeUrl: string, username: string, allows?: boolean): string
  /** The statuses of an account, oldest first. */
  statuses(username: string): Status[]
  /** Publishes `count` more statuses as other apps of the owner do; idempotency keys age by an hour. */
  bury(username: string, count: number): void
  /** An access token of the account. */
  tokenOf(username: string): string
  /** Invalidates all access tokens of the account. */
  revoke(username: string): void
  /** Invalidates its refresh tokens too, which an instance with `expiring` gives. */
  signOut(username: string): void
  /** Deletes every app, as instances do with unused ones. */
  deleteApps(): void
  /** Number of registered apps. */
  registrations(): number
  stop(): Promise<void>
}

export interface Status {
  id: string
  text: string
  account: string
  inReplyTo: string | null
  media: { id: string; description: string; bytes: number }[]
  createdAt: string
  editedAt?: string
}

interface App {
  id: string
  secret: string
  redirectUris: string[]
  scopes: string
}
interface Grant {
  app: App
  username: string
  redirectUri: string
  challenge: string
  scope: string
}
interface Media {
  id: string
  description: string
  bytes: number
  /** How many times a file is reported as still processing. */
  busy: number
}

export const limits = { characters: 600, media: 4, url: 23 }

/** The domain that it claims for its accounts, without proof. */
const claimed = 'mastodon.social'
const configuration = {
  statuses: {
    max_characters: limits.characters,
    max_media_attachments: limits.media,
    characters_reserved_per_url: limits.url,
  },
}

const refuse = (status: number, error: string, headers = {}) => Response.json({ error }, { status, headers })

interface Options {
  /** Number of status requests until a file is ready. */
  processing?: number
  /**
   * Behaves like Mastodon before 4 and other servers with its API: no lists in forms, no v2 instance endpoint,
   * alphabetic ids.
   */
  older?: boolean
  /** Behaves like another software with this API. */
  like?: SoftwareName
  /** Gives refresh tokens, each valid once, as Pleroma does. */
  expiring?: boolean
  /** Maximum number of statuses per page of an account, whatever limit the client sends. */
  maxPerPage?: number
  /** Omits every third status from a page after counting it, as servers do with hidden statuses. */
  hides?: boolean
  /** Called with every request before it is answered. */
  watch?(request: Request): Promise<void>
}

/** Starts it on a free port. */
export function startMastodon({
  processing = 0,
  older = false,
  like,
  expiring = false,
  maxPerPage = 40,
  hides = false,
  watch = async () => {},
}: Options = {}): MastodonCounterpart {
  const faults = new Faults()
  const other: Software | null = like ? software[like] : null
  const apps = new Map<string, App>()
  const grants = new Map<string, Grant>()
  const tokens = new Map<string, string>()
  const refreshTokens = new Map<string, { app: App; username: string }>()
  const statuses: Status[] = []
  const media = new Map<string, Media>()
  const byKey = new Map<string, Status>()
  let registered = 0
  let last = 1000

  const nextId = () => (older ? `AbC~${(++last).toString(36)}=` : String(++last))
  /** The owner of the token; null for an invalid one. */
  const owner = (request: Request) => tokens.get(request.headers.get('authorization')?.replace('Bearer ', '') ?? '')
  const accountOf = (username: string) => ({
    id: `id-${username}`,
    username,
    acct: username,
    url: `${url}/@${username}`,
  })
  const shown = ({ id, text, account, inReplyTo, createdAt, editedAt, media: files }: Status) => ({
    id,
    url: `${url}${pathOf(account, id)}`,
    content: `<p>${Bun.escapeHTML(text)}</p>`,
    created_at: createdAt,
    in_reply_to_id: inReplyTo,
    edited_at: editedAt ?? null,
    media_attachments: files.map(({ id: file, description }) => ({ id: file, type: 'image', description })),
    sensitive: false,
    spoiler_text: '',
    language: 'en',
    account: accountOf(account),
  })
  const pathOf = (account: string, id: string) =>
    other?.path(account, id) ?? (older ? `/notice/${encodeURIComponent(id)}` : `/@${account}/${id}`)
  const describe = () => {
    if (!other) return { version: older ? '3.5.3' : '4.3.0', configuration }
    const { version, statuses: declared, max_toot_chars } = other
    return {
      version,
      ...(declared && { configuration: { statuses: declared } }),
      ...(max_toot_chars && { max_toot_chars }),
    }
  }
  const guarded =
    (answer: (username: string, request: Request) => Promise<Response> | Response) => (request: Request) => {
      const username = owner(request)
      return username ? answer(username, request) : refuse(401, 'The access token is invalid')
    }

  const receiveMedia = async (request: Request, busy: number): Promise<Response> => {
    const form = await request.formData()
    const file = form.get('file')
    if (!(file instanceof Blob)) return refuse(422, "Validation failed: File can't be blank")
    const made = { id: nextId(), description: String(form.get('description') ?? ''), bytes: file.size, busy }
    media.set(made.id, made)
    return Response.json({ id: made.id, url: busy ? null : 'x' }, { status: busy ? 202 : 200 })
  }

  const routes: Record<string, (request: Request) => Promise<Response> | Response> = {
    'GET /api/v2/instance': () =>
      older || other?.hasCurrentInstance === false
        ? refuse(404, 'Not found')
        : Response.json({ domain: claimed, ...describe() }),
    'GET /.well-known/oauth-authorization-server': () =>
      other?.metadata ? Response.json(other.metadata) : refuse(404, 'Not found'),
    'GET /api/v1/instance': () => Response.json({ uri: claimed, title: 'Social', ...describe() }),
    'POST /api/v1/apps': async (request) => {
      const requested = (await request.json()) as { redirect_uris: string | string[]; scopes: string }
      if (older && typeof requested.redirect_uris !== 'string')
        return refuse(422, 'Validation failed: Redirect URI must be an absolute URI.')
      const redirectUris = [requested.redirect_uris].flat()
      const app = { id: crypto.randomUUID(), secret: crypto.randomUUID(), redirectUris, scopes: requested.scopes }
      apps.set(app.id, app)
      registered++
      return Response.json({ id: nextId(), client_id: app.id, client_secret: app.secret })
    },
    /** The consent page as the user ada sees it. */
    'GET /oauth/authorize': ({ url: requestUrl }) => {
      const link = (words: string, allows: boolean) =>
        `<a href="${Bun.escapeHTML(consent(requestUrl, 'ada', allows))}">${words}</a>`
      const page = `<!doctype html><title>Authorize</title>${link('Authorize', true)} ${link('Deny', false)}`
      return new Response(page, { headers: { 'content-type': 'text/html' } })
    },
    'POST /oauth/token': async (request) => {
      const form = new URLSearchParams(await request.text())
      const app = apps.get(form.get('client_id') ?? '')
      if (!app || app.secret !== form.get('client_secret')) return refuse(401, 'invalid_client')
      if (form.get('grant_type') === 'client_credentials') return Response.json({ access_token: 'app', scope: 'read' })
      const give = (username: string, scope: string) => {
        const token = crypto.randomUUID()
        tokens.set(token, username)
        const refreshToken = crypto.randomUUID()
        if (expiring) refreshTokens.set(refreshToken, { app, username })
        return Response.json({
          access_token: token,
          token_type: 'Bearer',
          scope: older ? '' : scope,
          created_at: 1,
          ...(expiring && { refresh_token: refreshToken, expires_in: 600 }),
        })
      }
      if (form.get('grant_type') === 'refresh_token') {
        const given = form.get('refresh_token') ?? ''
        const known = refreshTokens.get(given)
        if (known?.app !== app) return refuse(400, 'invalid_grant')
        refreshTokens.delete(given)
        return give(known.username, app.scopes)
      }
      const code = form.get('code') ?? ''
      const grant = grants.get(code)
      grants.delete(code)
      const proof = new Bun.CryptoHasher('sha256').update(form.get('code_verifier') ?? '').digest('base64url')
      if (!grant || grant.app !== app || grant.redirectUri !== form.get('redirect_uri') || grant.challenge !== proof)
        return refuse(400, 'invalid_grant')
      return give(grant.username, grant.scope)
    },
    'POST /oauth/revoke': async (request) => {
      const form = new URLSearchParams(await request.text())
      if (apps.get(form.get('client_id') ?? '')?.secret !== form.get('client_secret'))
        return refuse(403, 'unauthorized_client')
      tokens.delete(form.get('token') ?? '')
      return Response.json({})
    },
    'GET /api/v1/accounts/verify_credentials': guarded((username) => Response.json(accountOf(username))),
    'POST /api/v2/media': guarded((_, request) =>
      other?.hasCurrentMedia === false ? refuse(404, 'Not found') : receiveMedia(request, processing),
    ),
    'POST /api/v1/media': guarded((_, request) => receiveMedia(request, 0)),
    'GET /api/v1/media/:id': guarded((_, request) => {
      const found = media.get(lastPart(request))
      if (!found) return refuse(404, 'Record not found')
      return Response.json({ id: found.id, url: null }, { status: found.busy-- > 0 ? 206 : 200 })
    }),
    'POST /api/v1/statuses': guarded(async (account, request) => {
      const key = `${account} ${request.headers.get('idempotency-key')}`
      const known = byKey.get(key)
      if (known && other?.knowsKeys !== false) return Response.json(shown(known))
      const { status: text, in_reply_to_id: inReplyTo = null, media_ids: ids = [] } = (await request.json()) as Incoming
      if (lengthOf(text) > limits.characters)
        return refuse(422, `Validation failed: Text character limit of ${limits.characters} exceeded`)
      if (inReplyTo && !statuses.some(({ id }) => id === inReplyTo)) return refuse(404, 'Record not found')
      if (other?.needsMedia && ids.length === 0) return refuse(422, 'The media ids field is required.')
      const files = ids.flatMap((id) => media.get(id) ?? [])
      if (files.length < ids.length || files.some(({ busy }) => busy > 0))
        return refuse(422, 'Cannot attach files that have not finished processing. Try again in a moment!')
      const made = {
        id: nextId(),
        text: text.trim(),
        account,
        inReplyTo,
        media: files.map(({ id, description, bytes }) => ({ id, description, bytes })),
        createdAt: new Date().toISOString(),
      }
      statuses.push(made)
      byKey.set(key, made)
      return Response.json(shown(made))
    }),
    'GET /api/v1/accounts/:id/statuses': guarded((username, request) => {
      const requested = new URL(request.url).searchParams
      const own = statuses.filter(({ account }) => account === username).toReversed()
      const start = own.findIndex(({ id }) => id === requested.get('max_id')) + 1
      const limit = Math.min(Number(requested.get('limit') ?? 20), maxPerPage)
      const page = own
        .slice(start, start + limit)
        .filter(({ text }, at) => !hides || at % 3 !== 0 || !text.startsWith('Newer'))
      return Response.json(page.map(shown))
    }),
    'GET /api/v1/statuses/:id/source': guarded((_, request) => {
      if (other?.hasSource === false) return refuse(404, 'Not found')
      const found = statuses.find(({ id }) => new URL(request.url).pathname.includes(`/${encodeURIComponent(id)}/`))
      return found
        ? Response.json({ id: found.id, text: found.text, spoiler_text: '' })
        : refuse(404, 'Record not found')
    }),
    'GET /api/v1/statuses/:id': guarded((_, request) => {
      const found = statuses.find(({ id }) => id === lastPart(request))
      return found ? Response.json(shown(found)) : refuse(404, 'Record not found')
    }),
    /** What isn't sent is removed, as https://docs.joinmastodon.org/methods/statuses/#edit says. Since 3.5. */
    'PUT /api/v1/statuses/:id': guarded(async (account, request) => {
      const found = statuses.find((status) => status.id === lastPart(request) && status.account === account)
      if (!found) return refuse(404, 'Record not found')
      const { status: text, media_ids: ids = [] } = (await request.json()) as Incoming
      if (text.trim() === '' && ids.length === 0) return refuse(422, "Validation failed: Text can't be blank")
      if (lengthOf(text) > limits.characters)
        return refuse(422, `Validation failed: Text character limit of ${limits.characters} exceeded`)
      const files = ids.flatMap((id) => media.get(id) ?? [])
      if (files.length < ids.length) return refuse(404, 'Record not found')
      const kept = files.map(({ id, description, bytes }) => ({ id, description, bytes }))
      Object.assign(found, { text: text.trim(), media: kept, editedAt: new Date().toISOString() })
      return Response.json(shown(found))
    }),
    'DELETE /api/v1/statuses/:id': guarded((account, request) => {
      const at = statuses.findIndex((status) => status.id === lastPart(request) && status.account === account)
      if (at < 0) return refuse(404, 'Record not found')
      const [deleted] = statuses.splice(at, 1)
      return Response.json(deleted && shown(deleted))
    }),
  }
  const paths = Object.keys(routes).map((route) => ({
    route,
    pattern: new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`),
  }))

  const server: Bun.Server<undefined> = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 90,
    fetch: async (request): Promise<Response> => {
      await watch(request.clone())
      const requested = `${request.method} ${new URL(request.url).pathname}`
      const found = paths.find(({ pattern }) => pattern.test(requested))
      const answer = routes[found?.route ?? '']
      if (!found || !answer) return refuse(404, 'Not found')
      return faults.around(found.route, request, () => answer(request))
    },
  })
  const url: string = server.url.origin

  const consent: MastodonCounterpart['consent'] = (authorizeUrl, username, allows = true) => {
    const { searchParams: query, origin, pathname } = new URL(authorizeUrl)
    const app = apps.get(query.get('client_id') ?? '')
    const redirectUri = query.get('redirect_uri') ?? ''
    if (origin !== url || pathname !== '/oauth/authorize' || !app?.redirectUris.includes(redirectUri))
      throw new Error('The instance shows an error page: it knows no such app, or not with this address')
    if (query.get('code_challenge_method') !== 'S256' || query.get('scope') !== app.scopes)
      throw new Error('The instance shows an error page: the request is malformed')
    const strange = app.scopes.split(' ').find((scope) => other?.scopes && !other.scopes.includes(scope))
    if (strange !== undefined) throw new Error(`The instance shows an error page: invalid_scope ${strange}`)
    const back = new URL(redirectUri)
    back.searchParams.set('state', query.get('state') ?? '')
    if (!allows) back.searchParams.set('error', 'access_denied')
    else {
      const code = crypto.randomUUID()
      grants.set(code, {
        app,
        username,
        redirectUri,
        challenge: query.get('code_challenge') ?? '',
        scope: app.scopes,
      })
      back.searchParams.set('code', code)
    }
    return back.href
  }

  return {
    url,
    host: server.url.host,
    faults,
    consent,
    statuses: (username) => statuses.filter(({ account }) => account === username),
    bury: (account, count) => {
      byKey.clear()
      for (let n = 1; n <= count; n++) {
        const createdAt = new Date().toISOString()
        statuses.push({ id: nextId(), text: `Newer ${n}`, account, inReplyTo: null, media: [], createdAt })
      }
    },
    tokenOf: (username) => [...tokens].find(([, whose]) => whose === username)?.[0] ?? '',
    revoke: (username) => tokens.forEach((whose, token) => whose === username && tokens.delete(token)),
    signOut: (username) =>
      refreshTokens.forEach((grant, token) => grant.username === username && refreshTokens.delete(token)),
    deleteApps: () => apps.clear(),
    registrations: () => registered,
    stop: () => server.stop(true),
  }
}

interface Incoming {
  status: string
  in_reply_to_id?: string
  media_ids?: string[]
}

const lastPart = ({ url }: Request): string => decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '')

const lengthOf = (text: string): number =>
  [...new Intl.Segmenter().segment(text.replaceAll(/https?:\/\/\S+/g, 'x'.repeat(limits.url)))].length
