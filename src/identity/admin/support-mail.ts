import type { Call } from '#lib/call.ts'
import { publicUrl } from '#lib/public-url.ts'
import { supportLetter } from '#views/emails/support.tsx'
import { findVerifiedRecovery } from '../accounts/recovery-email/verified.ts'

/** Also at their recovery email. */
export async function mailSupportAction(
  { db, mail, now, config, request }: Call,
  { id, email }: { id: string; email: string },
  what: { happened: string; reason: string },
): Promise<void> {
  const letter = supportLetter({ ...what, href: publicUrl('/settings/security', config, request) })
  for (const to of [email, await findVerifiedRecovery(db, id)]) if (to) await mail.send(db, to, letter, now())
}
