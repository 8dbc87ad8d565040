import { z } from 'zod'
import { checkBy, works } from '../account-check.ts'
import { request } from '../graph/api.ts'
import { createComments } from '../graph/comments.ts'
import { interpretPublishRefusal } from '../graph/publish.ts'
import { readRecent } from '../graph/read-back.ts'
import { interpretRefusal, isMissing } from '../graph/refusal.ts'
import { apiVersion } from '../graph/version.ts'
import { classifyFailure } from '../http.ts'
import type {
  AccountCheck,
  Limits,
  Network,
  NetworkCall,
  PublishCall,
  PublishOutcome,
  ReadBack,
  Receipt,
  Removal,
  RemoveCall,
} from '../network.ts'
import { createAuthorization, createTokenCalls, type OAuthNetwork } from '../oauth.ts'
import { api, authorizeUrl, placeOf } from './api.ts'
import { corrections } from './corrections.ts'
import { listGroups, nameWithdrawal, warnOfGroups } from './groups.ts'
import { prepare, readFiles } from './media.ts'
import { commentScope, listPages, scopes } from './pages.ts'

const oauth: OAuthNetwork = {
  provider: 'facebook',
  name: api.name,
  authorizeUrl,
  scopes,
  commentScope,
  pkce: false,
  listTargets: async (access, call) => {
    const pages = await listPages(access, call)
    return [...pages, ...(await listGroups(access, call))]
  },
}

const mebibyte = 1024 * 1024

const limits: Limits = {
  characters: 63_206,
  counting: 'utf16',
  media: 10,
  replies: null,
  firstComment: { characters: 8000 },
  images: { bytes: 10 * mebibyte, types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] },
  videos: {
    types: ['video/mp4', 'video/quicktime'],
    codecs: ['h264', 'hevc'],
    bytes: 4096 * mebibyte,
    durationMs: 240 * 60_000,
  },
}

/** Facebook has no idempotency key, but the posts of a Page or Group can be read. */
export const facebook: Network = {
  provider: 'facebook',
  name: api.name,
  note: 'Pages. Meta withdrew publishing to Groups in April 2024.',
  limits,
  places: ['pageId', 'groupId'],
  warningOf: warnOfGroups,
  retrySafety: 'reconcile_only',
  connect: { by: 'authorize', authorization: createAuthorization(oauth), needsApp: true },
  count: (text) => text.length,
  // Links have a name of their own, from which the ID doesn’t follow.
  postIdOf: () => null,
  prepare,
  publish,
  readBack,
  firstComments: createComments(api, {
    scope: commentScope,
    query: { fields: 'id,message,from', order: 'chronological' },
    authorOf: ({ from }) => from?.id,
    selfOf: ({ account }) => placeOf(account.metadata).id,
    linkTo: (id, { replyTo }) => `https://www.facebook.com/${replyTo}?comment_id=${id.split('_').at(-1)}`,
  }),
  remove,
  corrections,
  ...createTokenCalls(oauth),
  scopes,
  apiVersion,
  checkAccount,
}

/** Reads what only the Page’s own token can, which ends with the person’s role on the Page. */
async function checkAccount(call: NetworkCall): Promise<AccountCheck> {
  const { id: place, isGroup } = placeOf(call.account.metadata)
  if (isGroup) return works
  return checkBy({
    ask: () => request(api, call, `/${place}/published_posts`, { query: { fields: 'id', limit: '1' } }),
    interpretRefusal: (response) => interpretRefusal(api.name, response),
    data: z.object({ data: z.array(z.unknown()) }),
    read: () => works,
  })
}

const Created = z.object({ id: z.string().regex(/^\d{1,30}(_\d{1,30})?$/) })

async function publish(call: PublishCall): Promise<PublishOutcome> {
  try {
    const { id: place } = placeOf(call.account.metadata)
    const { photos, handle } = readFiles(call.prepared)
    const [path, form] =
      handle === null
        ? [`/${place}/feed`, { message: call.text, ...extrasOf(call, photos) }]
        : [`/${place}/videos`, { description: call.text, fbuploader_video_file_chunk: handle }]
    const response = await request(api, call, path, { method: 'POST', form })
    if (!response.ok) return nameWithdrawal(call.account.metadata, await interpretPublishRefusal(api, response))
    const { id } = Created.parse(await response.json())
    return { kind: 'published', ...(await receiptOf(call, handle === null ? id : `${place}_${id}`)) }
  } catch (error) {
    return classifyFailure(api.name, error)
  }
}

const link = /https?:\/\/[^\s<>"]+[^\s<>".,:;!?)\]]/i

/** Photos, else a preview of the chosen page or the first link, which Facebook reads itself. */
function extrasOf({ text, linkPreview }: PublishCall, photos: readonly string[]): Record<string, string> {
  if (photos.length > 0) return { attached_media: JSON.stringify(photos.map((id) => ({ media_fbid: id }))) }
  const url = linkPreview?.url ?? link.exec(text)?.[0]
  return url === undefined ? {} : { link: url }
}

const Shown = z.object({ permalink_url: z.url() })

/** The post is published: a link by its ID is good enough when its own can’t be read. */
async function receiptOf(call: PublishCall, id: string): Promise<Receipt> {
  const shown = await request(api, call, `/${id}`, { query: { fields: 'permalink_url' } })
    .then(async (response) => Shown.safeParse(await response.json()))
    .catch(() => null)
  return { platformPostId: id, permalink: shown?.data?.permalink_url ?? `https://www.facebook.com/${id}` }
}

function readBack(call: PublishCall): Promise<ReadBack> {
  const { id, isGroup } = placeOf(call.account.metadata)
  return readRecent(api, call, {
    path: `/${id}/${isGroup ? 'feed' : 'published_posts'}`,
    fields: 'id,message,created_time,permalink_url',
    isSame: ({ message = '' }) => message.trim() === call.text.trim(),
  })
}

async function remove(call: RemoveCall): Promise<Removal> {
  try {
    const response = await request(api, call, `/${call.platformPostId}`, { method: 'DELETE' })
    if (response.ok) return { kind: 'removed' }
    return (await isMissing(response)) ? { kind: 'removed' } : await interpretRefusal(api.name, response)
  } catch (error) {
    return classifyFailure(api.name, error)
  }
}
