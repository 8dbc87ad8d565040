import { timingSafeEqual } from 'node:crypto'
import { cookieName } from '#lib/cookies.ts'
import type { Call } from '#lib/call.ts'
import { digest } from '#lib/ids.ts'
import type { Cookie } from '#lib/reply.ts'
import type { CheckoutRow } from './rows.ts'

const nameOf = (id: string): string => `checkout_${id}`
const lifetimeS = 2 * 24 * 60 * 60

/** By which the browser that pays is recognized. */
export const checkoutCookie = (id: string, secret: string): Cookie => ({
  name: nameOf(id),
  value: secret,
  maxAge: lifetimeS,
})

/** Whether the request is of the browser that began the checkout. */
export function isPayersBrowser({ request, config }: Pick<Call, 'request' | 'config'>, checkout: CheckoutRow): boolean {
  const https = config.PUBLIC_URL?.startsWith('https:') ?? false
  const secret = request.cookies.get(cookieName(nameOf(checkout.id), https))
  if (secret === undefined) return false
  return timingSafeEqual(Buffer.from(digest(secret)), Buffer.from(checkout.secretHash))
}
