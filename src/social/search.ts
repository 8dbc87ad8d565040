import { isAllowed } from '#lib/authorize.ts'
import { Problem } from '#lib/errors.ts'
import { matchesQuery, searchResult, searchSource, type SearchResult } from '#lib/search.ts'
import { capitalize } from '#lib/text.ts'
import { list as listBrands } from './brands/brands.ts'
import { pauseCommands } from './pauses/commands.ts'
import { searchFiles, type FoundFile } from './media/library/list.ts'
import { searchPosts } from './posts/search.ts'

const maxResults = { brands: 3, posts: 5, files: 3 }

export const search = searchSource({
  kinds: {
    brand: { title: 'Brands', icon: 'megaphone', avatar: 'square' },
    post: { title: 'Posts', icon: 'list' },
    media: { title: 'Media', icon: 'image' },
  },
  actions: [{ label: 'New brand', href: '/workspace/brands#new-brand', icon: 'plus', permission: 'brands:write' }],
  commands: pauseCommands,
  find: async ({ actor, identity, db, signal }, words) => {
    const socialId = await identity.serviceId('platform-socialize')
    if (actor.organization === null || !isAllowed(actor, 'posts:read', socialId)) return []
    const [brands, posts, files] = await Promise.all([
      listBrands(db, actor),
      searchPosts(db, actor, { words, limit: maxResults.posts, signal }).catch(returnNoneWhileBusy),
      searchFiles(db, actor, { words, limit: maxResults.files, signal }).catch(returnNoneWhileBusy),
    ])
    const names = new Map(brands.map(({ id, name }) => [id, name]))
    const matching = brands
      .map(toBrandResult)
      .filter(({ label, detail }) => matchesQuery(words, `${label} ${detail ?? ''}`))
    return [
      ...matching.slice(0, maxResults.brands),
      ...posts.map((post) => toPostResult(post, names.get(post.brandId) ?? '')),
      ...files.map(toFileResult),
      searchResult('post', `Search posts for “${words}”`, `/workspace/posts?q=${encodeURIComponent(words)}`),
    ]
  },
})

/** The link to the search of all posts is found in any case. */
function returnNoneWhileBusy(error: unknown): [] {
  if (error instanceof Problem && (error.status === 429 || error.status === 503)) return []
  throw error
}

const toBrandResult = ({
  id,
  name,
  timeZone,
}: {
  id: string
  name: string
  timeZone: string
}): SearchResult<'brand'> => ({
  ...searchResult('brand', name, `/workspace/posts?brandId=${id}`),
  id,
  detail: timeZone,
})

const toPostResult = (
  post: { id: string; text: string; status: string; brandId: string },
  brand: string,
): SearchResult<'post'> => ({
  ...searchResult('post', excerpt(post.text), `/workspace/posts/${post.id}?brandId=${post.brandId}`),
  id: post.id,
  detail: `${capitalize(post.status)} · ${brand}`,
})

const toFileResult = ({ id, brandId, name, alt }: FoundFile): SearchResult<'media'> => ({
  ...searchResult('media', name || 'Untitled file', `/workspace/media?brandId=${brandId}&file=${id}`),
  id,
  detail: excerpt(alt) || null,
})

const excerpt = (text: string): string => [...text.replace(/\s+/g, ' ').trim()].slice(0, 80).join('')
