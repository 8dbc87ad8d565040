import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { nullFor404 } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { reply, type Reply } from '#lib/reply.ts'
import { ignoreInvalid, plainText } from '#lib/text.ts'
import { NoBrand, type NoBrandProps } from '#views/social/brands/no-brand.tsx'
import { Library, type LibraryProps } from '#views/social/media/library.tsx'
import type { OpenedFile } from '#views/social/media/opened-file.tsx'
import { MediaKind, Provider } from '../../contract.ts'
import { askCurrentBrand, rememberBrand, replyWithoutBrand } from '../../http/current-brand.ts'
import { placeOf } from '../../http/place.ts'
import { getMedia, listMedia } from '../media.operations.tsx'
import { getMediaStorage, listMediaFits, listMediaTags, listMediaUses } from './library.operations.tsx'

const filesPerPage = 40
const shownUses = 5

const Query = z.object({
  brandId: ignoreInvalid(Id),
  q: ignoreInvalid(plainText(200).trim().min(1)),
  kind: ignoreInvalid(MediaKind),
  tag: ignoreInvalid(plainText(100).trim().min(1)),
  used: ignoreInvalid(z.enum(['true', 'false'])),
  alt: ignoreInvalid(z.enum(['missing'])),
  fits: ignoreInvalid(Provider),
  /** The opened file. */
  file: ignoreInvalid(Id),
  cursor: Cursor,
  shown: z.coerce.number().int().min(0).max(1_000_000).catch(0),
})

export const mediaPage = page({
  path: '/workspace/media',
  permission: 'posts:read',
  query: Query,
  screen: 'post-list library',
  title: 'Media',
  icon: 'image',
  keywords: 'library images photos videos files uploads alt text tags',
  load: async (call): Promise<Reply<LibraryProps | NoBrandProps>> => {
    const current = await askCurrentBrand(call, 'posts:read')
    const { brand } = current
    if (!brand) return replyWithoutBrand(current)
    const { cursor, shown, file, ...rest } = call.input
    const filter = { ...rest, brandId: brand.id }
    const [place, list, tags, storage, opened] = await Promise.all([
      placeOf(call, brand),
      call.ask(listMedia, { ...filter, cursor, limit: filesPerPage }),
      call.ask(listMediaTags, { brandId: brand.id }),
      call.ask(getMediaStorage, { brandId: brand.id }),
      file ? askOpened(call, file) : null,
    ])
    const data = { filter, place, list, tags: tags.items, storage, shown, opened }
    return reply(200, data, rememberBrand(call, brand.id))
  },
  view: (data) => ('list' in data ? <Library {...data} /> : <NoBrand {...data} />),
})

/** Null when it was deleted. */
async function askOpened(call: Call<unknown, Actor>, id: string): Promise<OpenedFile | null> {
  const file = await call.ask(getMedia, { id }).catch(nullFor404)
  if (!file) return null
  const [fits, uses] = await Promise.all([
    call.ask(listMediaFits, { id }),
    call.ask(listMediaUses, { id, limit: shownUses }),
  ])
  return { file, fits: fits.items, uses: uses.items }
}
