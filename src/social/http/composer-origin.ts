import type { Call } from '#lib/call.ts'
import { nullFor404 } from '#lib/errors.ts'
import type { Origin } from '#views/social/posts/composer-origin.tsx'
import type { CurrentBrand, ListedPost, PostDetails, UnsavedContent, UnsavedPost } from '../contract.ts'
import { getPost } from '../posts/post.operations.tsx'
import { listAll } from './post-page.ts'

interface Copied {
  /** The post that is copied; null without one. */
  from: string | undefined
  brand: { id: string }
  brands: CurrentBrand['brands']
  timeZone: string
  /** Under which the copy is stored once it is changed. */
  unsavedId: string
  /** Copies of its files in the library of another brand, in their order. */
  files: string[] | undefined
}

/** What the composer begins with as a copy of a post and its thread; null without one that the caller can read. */
export async function copyOf(
  call: Pick<Call, 'ask' | 'now'>,
  { from, brand, brands, timeZone, unsavedId, files }: Copied,
): Promise<{ origin: Origin; unsaved: UnsavedPost } | null> {
  const post = from === undefined ? null : await call.ask(getPost, { id: from }).catch(nullFor404)
  if (!post) return null
  const parts = post.threadId ? await listAll(call, { threadId: post.threadId }) : [post]
  const isSameBrand = brand.id === post.brandId
  const fileIds = [...new Set(parts.flatMap(({ media }) => media.map(({ mediaId }) => mediaId)))]
  const isCopied = files?.length === fileIds.length
  const newIds = new Map(isCopied ? fileIds.map((id, at) => [id, files[at] ?? id]) : [])
  const at = call.now().toISOString()
  return {
    origin: {
      id: post.id,
      brand: { id: post.brandId, name: post.brandName },
      fileIds: isSameBrand || isCopied ? [] : fileIds,
      brands,
    },
    unsaved: {
      id: unsavedId,
      brandId: brand.id,
      postId: null,
      baseVersion: null,
      content: contentOf(post, parts, { newIds: isSameBrand || isCopied ? newIds : null, timeZone }),
      version: 0,
      createdAt: at,
      updatedAt: at,
    },
  }
}

function contentOf(
  post: PostDetails,
  parts: readonly ListedPost[],
  { newIds, timeZone }: { newIds: ReadonlyMap<string, string> | null; timeZone: string },
): UnsavedContent {
  const [head = post] = parts
  const { youtube } = head
  return {
    texts: parts.map(({ text }) => text),
    connectionIds: [],
    media: newIds
      ? parts.flatMap(({ media }, part) =>
          media.map((file) => ({ ...file, mediaId: newIds.get(file.mediaId) ?? file.mediaId, part })),
        )
      : [],
    tags: head.tags.join(', '),
    campaign: head.campaign ?? '',
    ...(head.firstComment !== null && { firstComment: head.firstComment }),
    linkPreview: head.linkPreview,
    ...(youtube && { youtube: { ...youtube, title: youtube.title ?? '', tags: youtube.tags.join(', ') } }),
    when: 'at',
    date: '',
    time: '',
    timeZone,
  }
}

/** The other posts of its submission and thread, in their order. */
export async function siblingsOf(
  call: Pick<Call, 'ask'>,
  { id, groupId, threadId }: PostDetails,
): Promise<ListedPost[]> {
  const all = groupId ? await listAll(call, { groupId }) : threadId ? await listAll(call, { threadId }) : []
  return all.filter((post) => post.id !== id)
}
