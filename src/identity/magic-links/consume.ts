import { audited, auditedStep } from '#lib/audit.ts'
import type { Call, RequestFacts } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { reply } from '#lib/reply.ts'
import { accountOf, findUser, type Account } from '../accounts.ts'
import { confirmMailbox } from '../mailbox-proof.ts'
import type { magicLoginTokens } from '../schema.ts'
import { signIn } from '../signing-in.ts'
import { consumeLink } from './links.ts'

/**
 * Signs in whoever a link is for, and leads them to where it was made for: the one way in for both kinds of links.
 * Undefined for a link that was used or has expired; throws 401 where a second factor is owed.
 */
export async function completeSignIn(call: Call, token: string) {
  const link = await auditedStep(call, async (tx) => {
    const spent = await consumeLink(tx, token, call.now())
    if (!spent) return undefined
    const { id, organizationId, skipInterstitial } = spent
    // One that isn't asked about was given to a service and not mailed: it proves nothing of the mailbox.
    if (!skipInterstitial) await confirmMailbox(tx, call, spent.userId)
    audited(tx, { object: 'magic_link', id, by: await findUser(tx, spent.userId), organizationId })
    return spent
  })
  if (!link) return undefined
  const account = await accountOfLink(call.db, link)
  const next = link.redirectUri ?? undefined
  const { status, data, options } = await signIn(call, 200, account, { how: 'link', next })
  // It was checked against the service's registration when the link was made; no local path is ever changed by this.
  return reply(status, data, { ...options, next: next && URL.canParse(next) ? next : options.next })
}

/** Whom a link signs in, and where they will be at work. */
export const accountOfLink = async (db: Database, { userId, organizationId }: Link): Promise<Account> =>
  accountOf(db, await findUser(db, userId), organizationId)

type Link = Pick<typeof magicLoginTokens.$inferSelect, 'userId' | 'organizationId'>

/**
 * Whether somebody opens the page, as far as can be told: what only looks (HEAD), loads beforehand, or loads it as
 * anything but a page of its own, receives no session.
 */
export function isPageVisit({ method, headers }: RequestFacts): boolean {
  const isPrefetch = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) => headers.has(name))
  const isDocument = (headers.get('sec-fetch-dest') ?? 'document') === 'document'
  return method === 'GET' && !isPrefetch && isDocument
}
