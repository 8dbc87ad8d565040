import { secret } from '../wire/grants.ts'
import type { Clock } from '../wire/clock.ts'

/** What a client was allowed, bound to its keys. */
export interface Session {
  did: string
  clientId: string
  /** Of the client’s own key; null for a public client. */
  keyId: string | null
  /** The thumbprint of the DPoP key. */
  jkt: string
  scopes: string[]
  /** Those used before end the session. */
  refresh: string
  formerRefresh: Set<string>
  access: Map<string, number>
  isRevoked: boolean
}

const accessMs = 30 * 60_000

export class Sessions {
  readonly #clock: Clock
  readonly #all: Session[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  open(of: Pick<Session, 'did' | 'clientId' | 'keyId' | 'jkt' | 'scopes'>): Session {
    const session = { ...of, refresh: '', formerRefresh: new Set<string>(), access: new Map(), isRevoked: false }
    this.#all.push(session)
    return session
  }

  /** The next tokens of a session: its refresh token has now been used. */
  issue(session: Session) {
    if (session.refresh) session.formerRefresh.add(session.refresh)
    session.refresh = `ref-${secret(24)}`
    const access = `acc-${secret(24)}`
    session.access.set(access, this.#clock.now() + accessMs)
    return {
      access_token: access,
      token_type: 'DPoP',
      refresh_token: session.refresh,
      expires_in: accessMs / 1000,
      scope: session.scopes.join(' '),
      sub: session.did,
    }
  }

  /** By a refresh token, also a former one. */
  ofRefresh(token: string): Session | undefined {
    return this.#all.find(({ refresh, formerRefresh }) => refresh === token || formerRefresh.has(token))
  }

  ofAccess(token: string): Session | undefined {
    return this.#all.find(({ access }) => access.has(token))
  }

  isLive({ access, isRevoked }: Session, token: string): boolean {
    return !isRevoked && (access.get(token) ?? 0) > this.#clock.now()
  }

  of(did: string): Session[] {
    return this.#all.filter((session) => session.did === did)
  }

  /** Ends all access tokens, and leaves the refresh tokens. */
  expire(): void {
    for (const { access } of this.#all) for (const token of access.keys()) access.set(token, 0)
  }

  revoke(did: string): void {
    for (const session of this.of(did)) session.isRevoked = true
  }
}
