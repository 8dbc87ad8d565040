import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { sendNotices } from '../security-notices.ts'

const words = {
  totpAdded: 'An authenticator app was added to your Atrium account. Signing in asks for its code from now on.',
  totpRemoved: 'The authenticator app was removed from your Atrium account, and its recovery codes with it.',
  codesRenewed: 'New recovery codes were made for your Atrium account. The old ones are worth nothing any more.',
  codeUsed: 'Your Atrium account was signed in to with a recovery code, which doesn’t work any more.',
  passkeyAdded: 'A passkey was added to your Atrium account. It signs in without a password.',
  passkeyRemoved: 'A passkey was removed from your Atrium account.',
}

type MailContext = Pick<Call, 'config' | 'request' | 'mail' | 'now'>

/** Mails a person what happened to their factors, on the transaction that changes them. */
export async function notifyFactorChange(
  call: MailContext,
  tx: Database,
  user: { id: string; email: string },
  happened: keyof typeof words,
): Promise<void> {
  await sendNotices(call, tx, user, [words[happened]])
}
