import { z } from 'zod'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { reply, type Reply } from '#lib/reply.ts'
import { NoBrand, type NoBrandProps } from '#views/social/brands/no-brand.tsx'
import { Images, type ImagesProps } from '#views/social/images/images.tsx'
import { askCurrentBrand, rememberBrand, replyWithoutBrand } from '../http/current-brand.ts'
import { getImageModels, listImageGenerations } from './images.operations.tsx'

export const imagesPage = page({
  path: '/workspace/images',
  permission: 'posts:read',
  query: z.object({ cursor: Cursor }),
  screen: 'images generate',
  title: 'Generate images',
  keywords: 'ai pictures media generation',
  icon: 'sparkles',
  load: async (call): Promise<Reply<ImagesProps | NoBrandProps>> => {
    const current = await askCurrentBrand(call, 'posts:read')
    if (!current.brand) return replyWithoutBrand(current)
    const { id } = current.brand
    const { cursor } = call.input
    const filter = { brandId: id, ...(cursor && { cursor }) }
    const [models, list] = await Promise.all([
      call.ask(getImageModels, { brandId: id }),
      call.ask(listImageGenerations, filter),
    ])
    return reply(200, { models, generations: { ...list, filter } }, rememberBrand(call, id))
  },
  view: (props) => ('models' in props ? <Images {...props} /> : <NoBrand {...props} />),
})
