import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { reply } from '#lib/reply.ts'
import { accountOf, findUser, type Account } from '../../accounts/accounts.ts'
import { confirmMailbox } from '../../accounts/confirm-mailbox.ts'
import type { magicLoginTokens } from '../../schema.ts'
import { endLinkSessions } from '../own-sessions.ts'
import { signIn } from '../sign-in.ts'
import { consumeLink, findLink } from './links.ts'

/** Undefined for a link that was used or has expired. @throws {Problem} 401 when a second factor is required */
export async function completeSignIn(call: Call, token: string) {
  const link = await auditedTransaction(call, async (tx) => {
    const spent = await consumeLink(tx, token, call.now())
    if (!spent) return undefined
    const { id, organizationId, skipInterstitial } = spent
    // A link with `skipInterstitial` was issued to a service, so it doesn't prove access to the mailbox.
    const isFirst = !skipInterstitial && (await confirmMailbox(tx, call, spent.userId))
    // Links from before were issued to a service, for the person who entered the address at a checkout.
    if (isFirst) await endLinkSessions(tx, call, spent.userId)
    recordChange(tx, { object: 'magic_link', id, by: await findUser(tx, spent.userId), organizationId })
    return spent
  })
  if (!link) return undefined
  const account = await accountOfLink(call.db, link)
  const next = link.redirectUri ?? undefined
  const { status, data, options } = await signIn(call, 200, account, { how: 'link', next })
  // An absolute URL was checked against the service's redirect URIs when the link was issued.
  return reply(status, data, { ...options, next: next && URL.canParse(next) ? next : options.next })
}

const accountOfLink = async (db: Database, { userId, organizationId }: Link): Promise<Account> =>
  accountOf(db, await findUser(db, userId), organizationId)

type Link = Pick<typeof magicLoginTokens.$inferSelect, 'userId' | 'organizationId'>

/** @throws {Problem} 404 for a link that was used or has expired */
export async function describeLink({ db, now }: Pick<Call, 'db' | 'now'>, token: string) {
  const link = await findLink(db, token, now())
  if (!link) throw notFound('link')
  const { user, organization } = await accountOfLink(db, link)
  return {
    name: user.name,
    email: link.email,
    organization: organization?.name ?? null,
    firstOpenedAt: link.firstOpenedAt,
  }
}
