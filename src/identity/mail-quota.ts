import { networkOf } from '#lib/address.ts'
import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import { digest } from '#lib/ids.ts'
import { withinQuota } from '#lib/limits.ts'

const minute = 60_000

/** Whether one more mail may go to this address: three in ten minutes to each, and twenty in an hour for whoever asks. */
export async function mayMail({ db, request: { address } }: Call, recipient: string): Promise<boolean> {
  const asker = address && networkOf(address)
  if (asker && !(await withinQuota(db, { name: 'mails', subject: asker, most: 20, window: 60 * minute }))) return false
  return withinQuota(db, { name: 'mails-to', subject: digest(recipient), most: 3, window: 10 * minute })
}

/** 429 for whoever asked for more. */
export const tooManyMails = () =>
  new Problem(429, 'too_many_mails', 'Too many mails were asked for. Look into the mailbox, or try again in an hour.', {
    headers: { 'Retry-After': '3600' },
  })
