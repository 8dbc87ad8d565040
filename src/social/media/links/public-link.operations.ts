import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { notFound } from '#lib/errors.ts'
import { operation } from '#lib/operation.ts'
import { stream } from '#lib/reply.ts'
import { media } from '../../schema.ts'
import { propertiesOf, readFile } from '../files.ts'
import { readMediaLink } from './public-link.ts'

export const downloadLinkedMedia = operation({
  route: 'GET /api/media-links/:token',
  summary: 'Download a media file by its link',
  permission: 'public',
  input: z.object({ token: z.string().regex(/^[\w-]{1,100}$/) }),
  output: z.null(),
  streams: '*/*',
  ranges: true,
  problems: { storage_unavailable: 503 },
  // A network can fetch the files of many accounts from one address. Links can't be guessed.
  limit: null,
  run: async ({ db, input, now, secrets, storage }) => {
    const { id, variant } = readMediaLink(secrets, input.token, now())
    const [row] = await db.select().from(media).where(eq(media.id, id))
    const facts = row && propertiesOf(row, variant)
    const file = facts && (await readFile(storage, row, variant))
    if (!file) throw notFound('file')
    return stream({ ...file, etag: `"${facts.sha256}-${variant}"` }, facts.contentType, {
      headers: { 'Cache-Control': 'private, no-store', 'Content-Security-Policy': "default-src 'none'; sandbox" },
    })
  },
})
