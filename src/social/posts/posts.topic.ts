import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { topic } from '#lib/topic.ts'
import * as brands from '../brands/brands.ts'

/** `posts:<brandId>`: a post of the brand was created, changed, deleted, or changed its state. */
export const postsTopic = topic({
  name: 'posts',
  permission: 'posts:read',
  event: 'social.post',
  payload: z.object({ brandId: Id }),
  idOf: ({ brandId }) => brandId,
  authorize: ({ db, actor, input }) => brands.get(db, actor, input),
})
