import { digest } from '#lib/ids.ts'
import { invalidRequest, StripeError } from './error.ts'

/** Newest version of the API that is spoken here, that of npm `stripe` 23.1.0. */
export const apiVersion = '2026-10-28.endive'

export interface Caller {
  account: string
  platform: string
  version: string
}

/** @throws {StripeError} 401 without a test key, 400 for a version or account that doesn’t exist */
export function authenticate(headers: Headers): Caller {
  const key = keyIn(headers.get('authorization'))
  if (key === null)
    throw new StripeError(
      401,
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    )
  if (!/^(?:sk|rk)_test_(?!invalid)\w{3,}$/.test(key))
    throw new StripeError(401, `Invalid API Key provided: ${hideKey(key)}`)
  const platform = accountOfKey(key)
  return {
    platform,
    account: connectedAccount(platform, headers.get('stripe-account')),
    version: versionOf(headers.get('stripe-version')),
  }
}

function keyIn(authorization: string | null): string | null {
  const [, scheme = '', value = ''] = /^(bearer|basic) +(\S+)$/i.exec(authorization ?? '') ?? []
  if (!value) return null
  if (scheme.toLowerCase() === 'bearer') return value
  return Buffer.from(value, 'base64').toString().split(':', 1)[0] || null
}

const hideKey = (key: string): string =>
  key.length < 12 ? '*'.repeat(key.length) : `${key.slice(0, 8)}${'*'.repeat(key.length - 12)}${key.slice(-4)}`

/** `sk_test_acme_1` and `sk_test_acme_2` are keys of one account, so that a key can be rotated. */
export function accountOfKey(key: string): string {
  const [name = ''] = key.replace(/^(?:sk|rk)_test_/, '').split('_')
  return `acct_${digest(name).slice(0, 16)}`
}

function connectedAccount(platform: string, id: string | null): string {
  if (id === null || id === platform) return platform
  checkAccountId(id, 'Stripe-Account')
  return connectedKey(platform, id)
}

/** Connected accounts exist once for each platform. */
export const connectedKey = (platform: string, id: string): string => `${platform}/${id}`

export const accountIdOf = (account: string): string => account.split('/').at(-1) ?? account

/** Connected accounts needn’t be created first. @throws {StripeError} */
export function checkAccountId(id: string, param: string): void {
  if (!/^acct_(?!missing)\w{1,60}$/.test(id))
    throw invalidRequest(`No such destination: '${id}'`, param, 'resource_missing')
}

function versionOf(sent: string | null): string {
  if (sent === null) return apiVersion
  const isKnown = /^20\d\d-[01]\d-[0-3]\d(?:\.[a-z]+)?$/.test(sent) && sent.slice(0, 10) <= apiVersion.slice(0, 10)
  if (!isKnown) throw invalidRequest(`Invalid Stripe API version: ${sent.slice(0, 60)}`)
  return sent
}
