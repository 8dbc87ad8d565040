import { z } from 'zod'
import { fileHeaders } from '../file-headers.ts'
import { Id } from '../ids.ts'
import type { Provided } from '../call.ts'
import { stream } from '../reply.ts'
import { prepare } from './prepare.ts'
import { uploaded } from './uploaded.ts'

const maxLogoBytes = 5 * 1024 * 1024

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

/** What every operation that uploads a logo has in common. */
export const logoUpload = {
  body: { as: 'file', limit: maxLogoBytes },
  limit: 'uploads',
  // The image is drawn before anything is written.
  transaction: false,
  // Below the 60 s after which a silent connection is closed.
  timeout: ({ config }: Pick<Provided, 'config'>) => config.IMAGE_WAIT_MS + 25_000,
  problems: { too_many_uploads: 429, uploads_busy: 503, upload_interrupted: 503 },
} as const

export interface Logo {
  image: Uint8Array
  sha256: string
}

interface LogoFile {
  file: File
  organizationId: string
  waitMs: number
}

/** Drawn again from its pixels, and small. @throws {Problem} 422 for other files, 429 and 503 */
export async function drawLogo({ file, organizationId, waitMs }: LogoFile): Promise<Logo> {
  const { thumb } = await prepare({ file: new Uint8Array(await file.arrayBuffer()), organizationId, waitMs })
  return { image: thumb.data, sha256: new Bun.CryptoHasher('sha256').update(thumb.data).digest('hex') }
}

/** Cached for good where the requested hash is that of the image. */
export function streamLogo({ image, sha256 }: Logo, requested: string | undefined) {
  const caching = requested === sha256 ? 'private, max-age=2592000, immutable' : 'private, no-cache'
  const body = {
    size: image.byteLength,
    etag: `"${sha256}"`,
    stream: ({ from, end } = { from: 0, end: image.byteLength }) => new Blob([image.slice(from, end)]).stream(),
  }
  return stream(body, 'image/webp', { headers: { ...fileHeaders, 'Cache-Control': caching } })
}

export interface OfLogo {
  id: string
  logoSha256: string | null
}

export type WithLogoUrl<Row extends OfLogo> = Omit<Row, 'logoSha256'> & { logoUrl: string | null }

/** The URL under this path changes with the image, so that browsers can cache it for good. */
export const logoUrlUnder =
  (path: `/api/${string}`) =>
  <Row extends OfLogo>({ logoSha256, ...row }: Row): WithLogoUrl<Row> => ({
    ...row,
    logoUrl: logoSha256 && `${path}/${row.id}/logo?sha256=${logoSha256}`,
  })
