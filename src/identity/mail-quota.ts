import { networkOf } from '#lib/address.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { digest } from '#lib/ids.ts'
import { withinQuota } from '#lib/limits.ts'

const minute = 60_000

/** Whether one more mail may go to this address: three in ten minutes to each, and twenty in an hour for whoever asks. */
export async function countMail({ db, request: { address } }: Call, recipient: string): Promise<boolean> {
  const network = address && networkOf(address)
  if (network && !(await withinQuota(db, { name: 'mails', subject: network, most: 20, window: 60 * minute })))
    return false
  return withinQuota(db, { name: 'mails-to', subject: digest(recipient), most: 3, window: 10 * minute })
}

/** 429 for whoever asked for more. */
export const tooManyMails = () =>
  new Problem(429, 'too_many_mails', 'Too many mails were asked for. Look into the mailbox, or try again in an hour.', {
    headers: { 'Retry-After': '3600' },
  })

/** Invitations to one address, by all organizations and people together, and by one sender; both in a day. */
const maxInvitationsPerRecipient = 5
const maxInvitationsPerSender = 200
const day = 24 * 60 * minute

/**
 * Counts one more mailed invitation by `sender`, an organization or a person. Withdrawing gives nothing back. Throws 429
 * beyond 5 a day to one address and 200 a day by one sender.
 */
export async function countInvitation(tx: Database, sender: string, recipient: string): Promise<void> {
  const to = { name: 'invitations-to', subject: digest(recipient), most: maxInvitationsPerRecipient, window: day }
  if (!(await withinQuota(tx, to)))
    throw tooManyInvitations(
      `This address was mailed ${maxInvitationsPerRecipient} invitations today. Try again tomorrow.`,
    )
  const by = { name: 'invitations-by', subject: sender, most: maxInvitationsPerSender, window: day }
  if (!(await withinQuota(tx, by)))
    throw tooManyInvitations(`${maxInvitationsPerSender} invitations were mailed today. Try again tomorrow.`)
}

const tooManyInvitations = (message: string) =>
  new Problem(429, 'too_many_mails', message, { headers: { 'Retry-After': '86400' } })
