import { z } from 'zod'
import { transact, type Database } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { PostDetails } from '../contract.ts'
import { showChangedPost } from '../http/changed-post.tsx'
import * as posts from '../posts/posts.ts'
import { readPostDetails } from '../posts/present.ts'
import { checkPosts } from './check-posts.ts'

/** So that clicks one after the other ask the network once. */
const maxAgeMs = 10_000

export const checkPostReadiness = operation({
  route: 'POST /api/posts/:id/readiness',
  summary: 'Check whether a post will be published',
  permission: 'posts:write',
  machine: true,
  input: z.object({ id: Id }),
  output: PostDetails,
  // The network is asked.
  transaction: false,
  problems: { test_key_not_allowed: 403, not_scheduled: 409 },
  run: async (call) => {
    const { db, actor, input } = call
    const { id } = await posts.get(db, actor, input.id)
    const database = { db, transaction: <Result,>(work: (tx: Database) => Promise<Result>) => transact(db, work) }
    const checked = await checkPosts({ ...call, database }, { ids: [id], isFinal: false, maxAgeMs })
    if (checked === 0) throw conflict('not_scheduled', 'Only posts that are scheduled for later are checked.')
    return reply(200, await readPostDetails(call, id), { next: `/workspace/posts/${id}`, toast: 'Checked' })
  },
  view: (post, call) => showChangedPost(post, call),
})
