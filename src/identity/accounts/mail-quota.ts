import { networkOf } from '#lib/address.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { retryLater } from '#lib/errors.ts'
import { digest } from '#lib/ids.ts'
import { countWithinQuota } from '#lib/limits.ts'

const minute = 60_000

/** Up to three in ten minutes per address and twenty an hour per network; false beyond that. */
export async function countMail({ db, request: { address } }: Call, recipient: string): Promise<boolean> {
  const network = address && networkOf(address)
  if (network && !(await countWithinQuota(db, { name: 'mails', subject: network, max: 20, windowMs: 60 * minute })))
    return false
  return countWithinQuota(db, { name: 'mails-to', subject: digest(recipient), max: 3, windowMs: 10 * minute })
}

export const tooManyMails = () =>
  retryLater(429, 'too_many_mails', 'Too many emails were requested. Check your inbox, or try again in an hour.', {
    retryAfter: 3600,
  })

/** Per day, from all organizations and people together. */
const maxInvitationsPerRecipient = 5
/** Per day. */
const maxInvitationsPerSender = 200
const day = 24 * 60 * minute

/** Canceling doesn't lower the count. @throws {Problem} 429 beyond 5 a day to one address and 200 by one sender */
export async function countInvitation(tx: Database, sender: string, recipient: string): Promise<void> {
  const to = { name: 'invitations-to', subject: digest(recipient), max: maxInvitationsPerRecipient, windowMs: day }
  if (!(await countWithinQuota(tx, to)))
    throw tooManyInvitations(
      `This address received ${maxInvitationsPerRecipient} invitations today. Try again tomorrow.`,
    )
  const by = { name: 'invitations-by', subject: sender, max: maxInvitationsPerSender, windowMs: day }
  if (!(await countWithinQuota(tx, by)))
    throw tooManyInvitations(`You sent ${maxInvitationsPerSender} invitations today. Try again tomorrow.`)
}

const tooManyInvitations = (message: string) => retryLater(429, 'too_many_mails', message, { retryAfter: 86_400 })
