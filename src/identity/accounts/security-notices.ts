import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { publicUrl } from '#lib/public-url.ts'
import { securityLetter } from '#views/emails/security.tsx'
import { findVerifiedRecovery } from './recovery-email/verified.ts'

const notices = {
  passwordChanged: 'The password for your Atrium account was changed, and you were signed out of other sessions.',
  recoverySet: 'A new recovery email was entered for your Atrium account. It isn’t used until you confirm it.',
  recoveryRemoved: 'The recovery email for your Atrium account was removed.',
  emailChanged: 'The email address for your Atrium account was changed. Use the new address to sign in.',
  tokenReused:
    'A session of your Atrium account was ended because its token was used twice. Someone else may have a copy of it.',
  totpAdded: 'An authenticator app was added to your Atrium account. You’ll need a code from it to sign in.',
  totpRemoved: 'The authenticator app and its recovery codes were removed from your Atrium account.',
  codesRenewed: 'New recovery codes were created for your Atrium account. The old ones no longer work.',
  codeUsed: 'A recovery code was used to sign in to your Atrium account. It no longer works.',
  passkeyAdded: 'A passkey was added to your Atrium account. It can sign in without a password.',
  passkeyRemoved: 'A passkey was removed from your Atrium account.',
}

type NoticeContext = Pick<Call, 'config' | 'request' | 'mail' | 'now'>

/** In the transaction of the change. */
export async function sendSecurityNotice(
  call: NoticeContext,
  tx: Database,
  user: { id: string; email: string },
  happened: keyof typeof notices,
): Promise<void> {
  await sendNotices(call, tx, user, [notices[happened]])
}

/** Also to their verified recovery email. */
export async function sendNotices(
  call: NoticeContext,
  tx: Database,
  { id, email }: { id: string; email: string },
  happened: string[],
): Promise<void> {
  for (const to of [email, await findVerifiedRecovery(tx, id)]) if (to) await sendNoticeTo(call, tx, to, ...happened)
}

export async function sendNoticeTo(
  { config, request, mail, now }: NoticeContext,
  tx: Database,
  to: string,
  ...happened: string[]
): Promise<void> {
  await mail.send(tx, to, securityLetter(happened, publicUrl('/settings/security', config, request)), now())
}
