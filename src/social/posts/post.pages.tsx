import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { databaseTime } from '#lib/database-time.ts'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { accountUrl, excerpt } from '#views/social/line.ts'
import { DeletedPost, PostPage, type PostPageProps } from '#views/social/post.tsx'
import * as brands from '../brands/brands.ts'
import { Attempt } from '../contract.ts'
import { rememberBrand } from '../http/current-brand.ts'
import { may } from '../may.ts'
import { limitsFor } from '../accounts/limits.ts'
import { graphemes } from '../networks/count.ts'
import { networkOf } from '../networks/index.ts'
import { linesOf } from './lines.ts'
import * as posts from './posts.ts'

const Query = z.object({ id: Id })

export const postPage = page({
  path: '/workspace/posts/:id',
  permission: 'posts:read',
  query: Query,
  screen: 'posts',
  title: ({ line }: PostPageProps) => excerpt(line.post.text, 60),
  load: async (call) => {
    const shown = await shownOf(call)
    return reply(200, shown, rememberBrand(call, shown.brand.id))
  },
  view: (shown) => <PostPage {...shown} />,
  gone: () => <DeletedPost />,
})

async function shownOf(call: Call<z.output<typeof Query>, Actor>): Promise<PostPageProps> {
  const { db, actor, input, request } = call
  const post = await posts.get(db, actor, input.id)
  const [brand, attempts, thread, group, mayWrite, now] = await Promise.all([
    brands.get(db, actor, post.brandId),
    posts.attemptsOf(db, actor, post.id),
    post.threadId ? posts.threadOf(db, actor, post.threadId) : [],
    post.groupId ? posts.groupOf(db, actor, post.groupId) : [],
    may(call, 'posts:write'),
    databaseTime(db),
  ])
  const lines = await linesOf(call, brand.id, [post, ...thread, ...group])
  const [line] = lines
  if (!line) throw new Error('A post has no row')
  return {
    line,
    brand: { id: brand.id, name: brand.name },
    place: { now, zone: brand.timeZone, mayWrite },
    attempts: z.array(Attempt).parse(attempts),
    thread: lines.slice(1, 1 + thread.length),
    group: lines.slice(1 + thread.length).filter(({ post: { position } }) => position === 0),
    accountUrl: accountUrl(line),
    characters: await charactersOf(db, post),
    address: request.url.pathname + request.url.search,
  }
}

async function charactersOf(db: Database, post: posts.PostRow): Promise<PostPageProps['characters']> {
  const network = networkOf(post.provider)
  if (!network) return { count: graphemes(post.text), limit: null }
  const limits = await limitsFor(db, network, post)
  return { count: network.count(post.text, limits), limit: limits.characters }
}
