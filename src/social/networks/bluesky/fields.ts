import { z } from 'zod'
import { ServerAddress } from '#lib/outbound/server-address.ts'

/** The handle and the server, as forms have them. */
export const Handle = z
  .string('Enter your handle.')
  .transform(toHandle)
  .pipe(z.string().regex(/^([a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{0,62}$/, 'Must be a handle such as you.bsky.social.'))

export const Server = z
  .string()
  .trim()
  .transform((text) => text || undefined)
  .pipe(ServerAddress.optional())
  .optional()

/** `@Ada` is ada.bsky.social. Copied handles can contain invisible characters. */
function toHandle(text: string): string {
  const bare = text
    .replaceAll(/\p{Cf}/gu, '')
    .trim()
    .replace(/^@/, '')
    .toLowerCase()
  return bare === '' || bare.includes('.') ? bare : `${bare}.bsky.social`
}
