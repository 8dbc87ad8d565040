import type { EmailReceipt } from '../contract/email.ts'
import { getSender } from '../senders/senders.ts'
import { acceptEmail, type AcceptCall } from './accept.ts'
import { EmailInput } from './input.ts'

/** @throws {Problem} 404, and like `acceptEmail` */
export async function sendTest(call: AcceptCall, { id, to }: { id: string; to: string }): Promise<EmailReceipt> {
  await getSender(call, id)
  return acceptEmail(
    call,
    EmailInput.parse({
      from: id,
      to: [to],
      subject: 'Test email',
      text: 'This is a test email. It arrived, so this sender works.',
    }),
  )
}
