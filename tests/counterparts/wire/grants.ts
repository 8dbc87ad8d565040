import type { Clock } from './clock.ts'

/** A developer's app at the provider. */
export interface App {
  clientId: string
  clientSecret: string
  /** The exact redirect addresses of its settings. */
  redirectUris: string[]
}

/** What a user agreed to, until the app redeems the code. */
export interface Grant {
  user: string
  scopes: string[]
  redirectUri: string
  challenge: string | null
  /** More that the user chose, such as Pages. */
  choices: string[]
}

export interface Token {
  value: string
  kind: string
  user: string
  scopes: string[]
  choices: string[]
  issuedAt: number
  expiresAt: number
  state: 'live' | 'used' | 'revoked'
}

/** The codes and tokens that a provider gave. */
export class Grants {
  readonly #clock: Clock
  readonly #codes = new Map<string, Grant & { expiresAt: number }>()
  readonly #tokens = new Map<string, Token>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Gives a code that can be redeemed once. */
  code(grant: Grant, lifetimeMs: number): string {
    const code = secret(24)
    this.#codes.set(code, { ...grant, expiresAt: this.#clock.now() + lifetimeMs })
    return code
  }

  /** Null for an unknown, used or expired code. */
  redeem(code: string): Grant | null {
    const grant = this.#codes.get(code)
    this.#codes.delete(code)
    return grant && grant.expiresAt > this.#clock.now() ? grant : null
  }

  issue(
    kind: string,
    { user, scopes, choices = [] }: { user: string; scopes: string[]; choices?: string[] },
    lifetimeMs: number,
    prefix = '',
  ): Token {
    const now = this.#clock.now()
    const value = prefix + secret(36)
    const token: Token = {
      value,
      kind,
      user,
      scopes,
      choices,
      issuedAt: now,
      expiresAt: now + lifetimeMs,
      state: 'live',
    }
    this.#tokens.set(value, token)
    return token
  }

  /** The token in whatever state. */
  find(value: string | null | undefined): Token | undefined {
    return this.#tokens.get(value ?? '')
  }

  /** A live token of this kind that has not expired. */
  live(kind: string, value: string | null | undefined): Token | undefined {
    const token = this.find(value)
    return token?.kind === kind && token.state === 'live' && token.expiresAt > this.#clock.now() ? token : undefined
  }

  of(user: string, kind?: string): Token[] {
    return [...this.#tokens.values()].filter((token) => token.user === user && (!kind || token.kind === kind))
  }

  /** Ends the lifetime of a user's tokens of this kind. */
  expire(user: string, kind: string): void {
    for (const token of this.of(user, kind)) token.expiresAt = Math.min(token.expiresAt, this.#clock.now())
  }

  /** Revokes all tokens of a user. */
  revoke(user: string): void {
    for (const token of this.of(user)) token.state = 'revoked'
  }
}

/** How a user answers the consent page. */
export interface Consent {
  allows?: boolean
  /** Scopes that the user leaves out. */
  without?: string[]
  /** Ids of Pages and the like that the user chooses; all of them by default. */
  chooses?: string[]
}

/** The parameters of an authorization request, each of which is allowed to appear once. */
export function readAuthorize(
  authorizeUrl: string,
  app: App,
  { at, clientParameter = 'client_id', required, optional = [] }: AuthorizeFormat,
): Record<string, string> {
  const { origin, pathname, searchParams } = new URL(authorizeUrl)
  if (`${origin}${pathname}` !== at) throw new ConsentError(`${origin}${pathname} is not the consent page`)
  const names = ['response_type', clientParameter, 'redirect_uri', 'state', ...required]
  const found: Record<string, string> = {}
  for (const [name, value] of searchParams) {
    if (name in found) throw new ConsentError(`${name} was sent twice`)
    if (![...names, ...optional].includes(name)) throw new ConsentError(`${name} is unknown`)
    found[name] = value
  }
  const missing = names.find((name) => !found[name])
  if (missing) throw new ConsentError(`${missing} is missing`)
  if (found['response_type'] !== 'code') throw new ConsentError('response_type is not code')
  if (found[clientParameter] !== app.clientId) throw new ConsentError('The app is unknown')
  if (!app.redirectUris.includes(found['redirect_uri'] ?? ''))
    throw new ConsentError('The redirect address is not in the settings of the app')
  return found
}

interface AuthorizeFormat {
  /** Address of the consent page. */
  at: string
  clientParameter?: string
  required: string[]
  optional?: string[]
}

/** The provider shows an error page and redirects nowhere. */
export class ConsentError extends Error {}

/** The redirect address with these parameters. */
export function redirectTo(redirectUri: string, parameters: Record<string, string>): string {
  const back = new URL(redirectUri)
  for (const [name, value] of Object.entries(parameters)) back.searchParams.set(name, value)
  return back.href
}

/** A consent page with links for each way to answer it. */
export function consentPage(links: Record<string, () => string>): Response {
  try {
    const anchors = Object.entries(links).map(([words, href]) => `<a href="${Bun.escapeHTML(href())}">${words}</a>`)
    const page = `<!doctype html><title>Authorize</title>${anchors.join(' ')}`
    return new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } })
  } catch (error) {
    if (!(error instanceof ConsentError)) throw error
    return new Response(Bun.escapeHTML(error.message), { status: 400 })
  }
}

export const challengeOf = (verifier: string): string =>
  new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')

export const secret = (bytes: number): string =>
  crypto.getRandomValues(new Uint8Array(bytes)).toBase64({ alphabet: 'base64url', omitPadding: true })
