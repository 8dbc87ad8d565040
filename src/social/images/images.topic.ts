import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { topic } from '#lib/topic.ts'
import * as brands from '../brands/brands.ts'

export const imagesEvent = 'social.images'

/** `images:<brandId>`: a generation of the brand began, finished or was deleted. */
export const imagesTopic = topic({
  name: 'images',
  permission: 'posts:read',
  event: imagesEvent,
  payload: z.object({ brandId: Id }),
  idOf: ({ brandId }) => brandId,
  authorize: ({ db, actor, input }) => brands.get(db, actor, input),
})
