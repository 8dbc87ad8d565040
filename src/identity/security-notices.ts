import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { publicUrl } from '#lib/public-url.ts'
import { securityLetter } from '#views/emails/security.tsx'
import { findVerifiedRecovery } from './recovery-email/verified.ts'

const notices = {
  passwordChanged: 'The password of your Atrium account was changed, and its other sessions were ended.',
  recoverySet:
    'Another recovery address was given for your Atrium account. It counts once its mailbox has confirmed it.',
  recoveryRemoved: 'The recovery address was removed from your Atrium account.',
  emailChanged: 'The e-mail address of your Atrium account was changed. Sign in with the new one from now on.',
  tokenReused:
    'A session of your Atrium account was ended, since its key was used twice: somebody else may have had a copy of it.',
}

type NoticeContext = Pick<Call, 'config' | 'request' | 'mail' | 'now'>

/** Mails a person what happened to their account, on the transaction that changes it. */
export async function sendSecurityNotice(
  call: NoticeContext,
  tx: Database,
  user: { id: string; email: string },
  happened: keyof typeof notices,
): Promise<void> {
  await sendNotices(call, tx, user, [notices[happened]])
}

/** Mails a person a notice about their account, to their verified recovery address too. */
export async function sendNotices(
  call: NoticeContext,
  tx: Database,
  { id, email }: { id: string; email: string },
  happened: string[],
): Promise<void> {
  for (const to of [email, await findVerifiedRecovery(tx, id)]) if (to) await sendNoticeTo(call, tx, to, ...happened)
}

/** Mails one address what became of the account that it belongs to. */
export async function sendNoticeTo(
  { config, request, mail, now }: NoticeContext,
  tx: Database,
  to: string,
  ...happened: string[]
): Promise<void> {
  await mail.send(tx, to, securityLetter(happened, publicUrl('/settings/security', config, request)), now())
}
