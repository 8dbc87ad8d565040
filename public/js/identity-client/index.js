import { request, IdentityProblem } from './request.js'
import { sessionValue } from './session-value.js'
import { challengeOf, randomText } from './pkce.js'

export { IdentityProblem }

/**
 * The identity client of browser apps (IDN-17): signs people in, by password or by a one-time code, keeps the access
 * token in this tab, renews it, returns the signed-in user, and hands them off to other apps. It needs no bundler.
 *
 * @typedef {{ id: string, slug: string, name: string, role: string }} Organization
 * @typedef {{ user: { id: string, email: string, emailVerified: boolean, name: string }, context: 'personal' | 'organization', organization: Organization | null, organizations: Organization[] }} Me
 * @typedef {{ current: { name: string, email: string }, arriving: { name: string, email: string } }} Replacement who is
 *   signed in, and whose the code is
 * @typedef {{ accessToken: string, expiresIn: number, service?: { webUrl: string | null } }} Tokens
 * @typedef {{
 *   service: string,
 *   api?: string,
 *   authority?: string,
 *   callback?: string,
 *   home?: string,
 *   navigate?: (url: string) => void,
 * }} Options `service` is the app's own slug or id; `api` where `/api/auth` and `/sso/exchange` answer (this origin);
 *   `authority` where people are signed in (the same); `callback` the app's registered path for codes; `home` where
 *   signing in ends; `navigate` the app's own navigation
 */

/** `expiresAt` in milliseconds. */
const token = sessionValue('identity.token', { accessToken: '', expiresAt: 0 })
const pending = sessionValue('identity.pending', { verifier: '', state: '', next: '' })

/** Milliseconds before its expiry when a token is renewed. */
const margin = 30_000

/** @param {Options} options */
export function createIdentityClient({
  service,
  api = location.origin,
  authority = api,
  callback = '/auth/callback',
  home = '/',
  navigate = (url) => location.assign(url),
}) {
  const redirectUri = new URL(callback, location.origin).href
  /** @type {Promise<string | null> | null} */
  let refreshing = null

  /** @param {string} path @param {{ body?: unknown, token?: string }} [given] */
  const send = (path, given = {}) => request(new URL(path, api), given)

  /** @param {Tokens} tokens */
  const keep = ({ accessToken, expiresIn }) => {
    token.write({ accessToken, expiresAt: Date.now() + expiresIn * 1000 })
    return accessToken
  }

  /** Gets a new token with the refresh cookie; null without one. One tab at a time. @returns {Promise<string | null>} */
  const refresh = () => {
    refreshing ??= navigator.locks
      .request('identity.refresh', async () => keep(await send('/api/auth/refresh', { body: {} })))
      .catch((error) => {
        if (!isRefused(error)) throw error
        token.remove()
        return null
      })
      .finally(() => (refreshing = null))
    return refreshing
  }

  const getToken = async () => {
    const kept = token.read()
    return kept && kept.expiresAt - margin > Date.now() ? kept.accessToken : refresh()
  }

  /** An access token that turns out to be expired is renewed once. @param {string} path @param {unknown} [body] */
  const sendAs = async (path, body) => {
    const first = await getToken()
    if (!first) throw new IdentityProblem(401, 'invalid_token', 'You are not signed in.')
    return send(path, { body, token: first }).catch(async (error) => {
      const next = isRefused(error) ? await refresh() : null
      if (!next) throw error
      return send(path, { body, token: next })
    })
  }

  return {
    /** This tab's current token, without a request; null when there is none or it has expired. */
    get accessToken() {
      const kept = token.read()
      return kept && kept.expiresAt > Date.now() ? kept.accessToken : null
    },

    refresh,

    /**
     * The signed-in user, or null. This tab's token stays usable in the meantime. An app is ready for people in organizations
     * once this has resolved.
     * @returns {Promise<Me | null>}
     */
    me: () => sendAs('/api/auth/me').catch((error) => (isRefused(error) ? null : Promise.reject(error))),

    /**
     * `fetch` as the signed-in person; an expired token is renewed once.
     * @param {string | URL} url
     * @param {RequestInit} [init]
     */
    fetch: async (url, init = {}) => {
      const response = await fetch(url, withBearer(init, await getToken()))
      const next = response.status === 401 ? await refresh() : null
      return next ? fetch(url, withBearer(init, next)) : response
    },

    /**
     * @param {{ email: string, password: string, next?: string }} credentials
     * @throws {IdentityProblem} such as `invalid_credentials`, or `second_factor_required` with its `challenge`
     */
    signIn: async ({ email, password, next }) => {
      keep(await send('/api/auth/login', { body: { email, password } }))
      navigate(localPath(next) ?? home)
    },

    /** @param {{ challenge: unknown, code: string, next?: string }} answer */
    answerChallenge: async ({ challenge, code, next }) => {
      keep(await send('/api/auth/login/second-factor', { body: { challenge, code } }))
      navigate(localPath(next) ?? home)
    },

    /**
     * Redirects to the authority, which returns a code (PKCE).
     * @param {{ next?: string, prompt?: string }} [options]
     */
    authorize: async ({ next, prompt } = {}) => {
      const [verifier, state] = [randomText(), randomText()]
      pending.write({ verifier, state, next: localPath(next) ?? '' })
      const url = new URL('/sso/authorize', authority)
      const promise = { code_challenge: await challengeOf(verifier), code_challenge_method: 'S256' }
      const parameters = {
        service_id: service,
        redirect_uri: redirectUri,
        state,
        ...promise,
        ...(prompt && { prompt }),
      }
      url.search = new URLSearchParams(parameters).toString()
      navigate(url.href)
    },

    /**
     * Exchanges the code in the callback page's URL for tokens. The URL is cleaned at once, so that the code isn't kept in
     * the history. A hand-off replaces another person's session only if `confirm` resolves to true.
     * @param {{ confirm?: (who: Replacement) => Promise<boolean>, started?: { verifier: string, state: string, next: string } }} [options]
     *   `started` by the app’s server instead of `authorize`; without consent nothing changes, and the code stays unused
     * @throws {IdentityProblem} also with the authority's `error`, and `signed_in_as_another_account`
     */
    redeem: async ({ confirm, started } = {}) => {
      const query = new URLSearchParams(location.search)
      history.replaceState(null, '', location.pathname)
      const pendingSignIn = started && started.state === query.get('state') ? started : pending.read()
      pending.remove()
      const code = codeIn(query, pendingSignIn)
      const proof = query.has('state') ? { code_verifier: pendingSignIn?.verifier } : {}
      const body = { sso_code: code, redirect_uri: redirectUri, ...proof }
      /** @type {Tokens | null} */
      const arrived = await send('/sso/exchange', { body }).catch(async (error) => {
        const who = confirm && replacementIn(error)
        if (!confirm || !who) throw error
        return (await confirm(who)) ? send('/sso/exchange', { body: { ...body, replace: true } }) : null
      })
      if (!arrived) return navigate(home)
      keep(arrived)
      const next = query.has('state') ? pendingSignIn?.next : undefined
      navigate(localPath(next) ?? localPath(arrived.service?.webUrl ?? undefined) ?? home)
    },

    /**
     * @param {{ service: string, redirectUri: string, context?: string }} destination
     * @throws {IdentityProblem} before anything is opened, such as `context_required` with its `choices`
     */
    handOff: async (destination) => {
      const { service: service_id, redirectUri: redirect_uri, context } = destination
      const { url } = await sendAs('/sso/handoff-code', { service_id, redirect_uri, context })
      navigate(url)
    },

    signOut: async () => {
      await sendAs('/api/auth/logout', {}).catch((error) => (isRefused(error) ? null : Promise.reject(error)))
      token.remove()
    },
  }
}

/**
 * The code in the callback URL. Its state must be the one that this tab sent; hand-offs have none.
 * @param {URLSearchParams} query
 * @param {{ state: string } | null} pendingSignIn
 */
function codeIn(query, pendingSignIn) {
  const state = query.get('state')
  if (state !== null && state !== pendingSignIn?.state)
    throw new IdentityProblem(400, 'state_mismatch', 'This sign-in wasn’t started in this tab. Sign in again.')
  const error = query.get('error')
  if (error) throw new IdentityProblem(400, error, query.get('error_description') ?? 'The sign-in was denied.')
  const code = query.get('sso_code')
  if (!code) throw new IdentityProblem(400, 'code_missing', 'The URL contains no code. Sign in again.')
  return code
}

/** @param {unknown} error @returns {Replacement | null} */
function replacementIn(error) {
  if (!(error instanceof IdentityProblem) || error.code !== 'signed_in_as_another_account') return null
  const { current, arriving } = error.members
  return isNamed(current) && isNamed(arriving) ? { current, arriving } : null
}

/** @param {unknown} who @returns {who is { name: string, email: string }} */
const isNamed = (who) =>
  typeof who === 'object' &&
  who !== null &&
  'name' in who &&
  'email' in who &&
  typeof who.name === 'string' &&
  typeof who.email === 'string'

/** @param {unknown} error */
const isRefused = (error) => error instanceof IdentityProblem && error.status === 401

/** @param {RequestInit} init @param {string | null} bearer */
function withBearer(init, bearer) {
  const headers = new Headers(init.headers)
  if (bearer) headers.set('authorization', `Bearer ${bearer}`)
  return { ...init, headers }
}

/** A path of this origin; undefined for a URL of another one. @param {string | undefined} next */
function localPath(next) {
  if (!next || !URL.canParse(next, location.origin)) return undefined
  const url = new URL(next, location.origin)
  return url.origin === location.origin ? url.pathname + url.search + url.hash : undefined
}
