import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { topic } from '#lib/topic.ts'
import * as posts from '../posts.ts'

/** `editors:<postId>`: a person opened the post in the composer, or closed it. */
export const editorsTopic = topic({
  name: 'editors',
  permission: 'posts:read',
  event: 'social.editors',
  payload: z.object({ postId: Id }),
  idOf: ({ postId }) => postId,
  authorize: ({ db, actor, input }) => posts.get(db, actor, input),
})
