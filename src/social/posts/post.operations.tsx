import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { isTarget } from '#lib/page.ts'
import { listOf } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { PostCorrections } from '#views/social/posts/post-corrections.tsx'
import { PostMenu, rowMenu } from '#views/social/posts/post-actions.tsx'
import { PostAttempts } from '#views/social/posts/post-attempts.tsx'
import { DeletedPost, PostView } from '#views/social/posts/post.tsx'
import { addNames, newestFirst } from '../corrections/list.ts'
import { Attempt, PostCorrection, PostDetails } from '../contract.ts'
import { placeOfPost } from '../http/place.ts'
import { loadPostPage } from '../http/post-page.ts'
import * as posts from './posts.ts'
import { readPostDetails } from './present.ts'

export const getPost = operation({
  route: 'GET /api/posts/:id',
  summary: 'Get a post',
  permission: 'posts:read',
  machine: true,
  input: z.object({ id: Id }),
  output: PostDetails,
  problems: { test_key_not_allowed: 403 },
  run: async (call) => {
    const post = await readPostDetails(call, call.input.id)
    return reply(200, post, { headers: { ETag: `"${post.version}"` } })
  },
  view: async (post, call) =>
    isTarget(call, rowMenu(post)) ? (
      <PostMenu post={post} />
    ) : (
      <PostView
        {...await loadPostPage(call, post, {
          attempts: call.ask(listPostAttempts, { id: post.id }),
          corrections: call.ask(listPostCorrections, { id: post.id }),
        })}
      />
    ),
  gone: () => <DeletedPost />,
})

export const listPostCorrections = operation({
  route: 'GET /api/posts/:id/corrections',
  summary: 'List corrections of a published post',
  permission: 'posts:read',
  machine: true,
  input: z.object({ id: Id }),
  output: listOf(PostCorrection),
  problems: { test_key_not_allowed: 403 },
  run: async (call) => {
    const { db, actor, input } = call
    await posts.get(db, actor, input.id)
    return { items: await addNames(call, await newestFirst(db, input.id)), nextCursor: null }
  },
  view: async ({ items }, call) => {
    const post = await call.ask(getPost, call.input)
    return <PostCorrections post={post} corrections={items} place={await placeOfPost(call, post)} />
  },
})

export const listPostAttempts = operation({
  route: 'GET /api/posts/:id/attempts',
  summary: 'List attempts to publish a post',
  permission: 'posts:read',
  machine: true,
  input: z.object({ id: Id }),
  output: listOf(Attempt),
  problems: { test_key_not_allowed: 403 },
  run: async ({ input, actor, db }) => ({ items: await posts.listAttempts(db, actor, input.id), nextCursor: null }),
  view: async ({ items }, call) => {
    const post = await call.ask(getPost, call.input)
    return <PostAttempts post={post} attempts={items} place={await placeOfPost(call, post)} />
  },
})
