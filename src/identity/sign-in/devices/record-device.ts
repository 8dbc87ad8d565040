import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { publicUrl } from '#lib/public-url.ts'
import type { Cookie } from '#lib/reply.ts'
import { newDeviceLetter } from '#views/emails/security.tsx'
import type { SignInMethod } from '../sessions.ts'
import { deviceName } from './device-name.ts'
import { rememberDevice } from './known-devices.ts'

export const sessionOriginOf = ({ request: { headers, address } }: Call) => ({
  device: deviceName(headers.get('user-agent')),
  address,
})

/** Emails the person about a new one unless they have just signed up. Returns the browser's cookie. */
export async function recordDevice(
  tx: Database,
  call: Call,
  user: { id: string; email: string },
  how: SignInMethod,
): Promise<Cookie[]> {
  const { isNew, cookies } = await rememberDevice(tx, call, user.id)
  if (isNew && how !== 'registration') {
    const href = publicUrl('/settings/sessions', call.config, call.request)
    await call.mail.send(
      tx,
      user.email,
      newDeviceLetter({ ...sessionOriginOf(call), at: call.now(), href }),
      call.now(),
    )
  }
  return cookies
}
