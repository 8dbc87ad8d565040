import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { sendNotices } from '../../accounts/security-notices.ts'

const words = {
  totpAdded: 'An authenticator app was added to your Atrium account. You’ll need a code from it to sign in.',
  totpRemoved: 'The authenticator app and its recovery codes were removed from your Atrium account.',
  codesRenewed: 'New recovery codes were created for your Atrium account. The old ones no longer work.',
  codeUsed: 'A recovery code was used to sign in to your Atrium account. It no longer works.',
  passkeyAdded: 'A passkey was added to your Atrium account. It can sign in without a password.',
  passkeyRemoved: 'A passkey was removed from your Atrium account.',
}

type MailContext = Pick<Call, 'config' | 'request' | 'mail' | 'now'>

/** Emails a person about a change of their factors, in the transaction that makes it. */
export async function notifyFactorChange(
  call: MailContext,
  tx: Database,
  user: { id: string; email: string },
  happened: keyof typeof words,
): Promise<void> {
  await sendNotices(call, tx, user, [words[happened]])
}
