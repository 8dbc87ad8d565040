import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { uploaded } from '#lib/images/uploaded.ts'

export const maxLogoBytes = 5 * 1024 * 1024

export const LogoUpload = z.object({ id: Id, file: uploaded(maxLogoBytes) })
export type LogoUpload = z.output<typeof LogoUpload>

export const LogoQuery = z.object({
  id: Id,
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'Must be a SHA-256 in hexadecimal digits.')
    .optional()
    .describe('Of the image: with it, the response can be cached for good.'),
})
