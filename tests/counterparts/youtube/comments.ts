import { z } from 'zod'
import type { Call } from '../wire/call.ts'
import { secret } from '../wire/grants.ts'
import { commentRefusal, refuse } from './errors.ts'
import { listOf, partsOf } from './lists.ts'
import type { Channel, Uploads, Video } from './uploads.ts'

type Moderation = 'published' | 'heldForReview' | 'likelySpam'

export interface Comment {
  id: string
  video: string
  /** The channel that wrote it. */
  author: string
  text: string
  publishedAt: number
  moderation: Moderation
}

const InsertQuery = z.strictObject({ part: z.string() })
const Body = z.strictObject({
  snippet: z.strictObject({
    channelId: z.string().optional(),
    videoId: z.string().optional(),
    topLevelComment: z.strictObject({ snippet: z.strictObject({ textOriginal: z.string() }) }).optional(),
  }),
})
const ListQuery = z.strictObject({
  part: z.string(),
  videoId: z.string().min(1),
  order: z.enum(['time', 'relevance']).default('time'),
  textFormat: z.enum(['html', 'plainText']).default('html'),
  moderationStatus: z.enum(['published', 'heldForReview', 'likelySpam']).default('published'),
  maxResults: z.stringFormat('number', /^(?:[1-9]\d?|100)$/).default('20'),
  pageToken: z.stringFormat('token', /^\d+$/).optional(),
})

const maxCharacters = 10_000

/** Top-level comments on videos. */
export class Comments {
  readonly all: Comment[] = []
  readonly #uploads: Uploads
  readonly #now: () => number
  /** How many of the next comments are held for review. */
  held = 0

  constructor(options: { uploads: Uploads; now: () => number }) {
    this.#uploads = options.uploads
    this.#now = options.now
  }

  insert(call: Call, channel: Channel, owners: ReadonlyMap<string, Channel>): Response {
    const parts = partsOf(call.search(InsertQuery).part, ['id', 'snippet', 'replies'])
    const { snippet } = call.json(Body)
    if (!parts.includes('snippet'))
      throw refuse(400, "'snippet'", { reason: 'unexpectedPart', domain: 'youtube.part', location: 'part' })
    const text = snippet.topLevelComment?.snippet.textOriginal ?? ''
    if (snippet.videoId === undefined) throw commentRefusal(400, 'channelOrVideoIdMissing')
    if (text.trim() === '') throw commentRefusal(400, 'commentTextRequired')
    if (text.length > maxCharacters) throw commentRefusal(400, 'commentTextTooLong')
    const video = this.#find(snippet.videoId, channel, owners)
    if (snippet.channelId !== undefined && snippet.channelId !== video.channel)
      throw commentRefusal(404, 'channelNotFound')
    const comment = this.add(video, channel.id, text)
    return Response.json(threadOf(comment, video, { viewer: channel.id, isPlain: false }))
  }

  list(call: Call, channel: Channel, owners: ReadonlyMap<string, Channel>): Response {
    const query = call.search(ListQuery)
    partsOf(query.part, ['id', 'snippet', 'replies'])
    const video = this.#find(query.videoId, channel, owners)
    if (query.moderationStatus !== 'published' && video.channel !== channel.id) throw commentRefusal(403, 'forbidden')
    const found = this.all
      .filter((comment) => comment.video === video.id && comment.moderation === query.moderationStatus)
      .toReversed()
    const start = Number(query.pageToken ?? 0)
    const end = start + Number(query.maxResults)
    return listOf(
      'commentThread',
      found
        .slice(start, end)
        .map((comment) => threadOf(comment, video, { viewer: channel.id, isPlain: query.textFormat === 'plainText' })),
      { total: found.length, ...(end < found.length && { nextPageToken: String(end) }) },
    )
  }

  add({ id: video }: Pick<Video, 'id'>, author: string, text: string): Comment {
    const moderation = this.held > 0 ? 'heldForReview' : 'published'
    this.held = Math.max(0, this.held - 1)
    const comment: Comment = { id: `Ug${secret(16)}`, video, author, text, publishedAt: this.#now(), moderation }
    this.all.push(comment)
    return comment
  }

  /** Private videos and those for children have no comments. */
  #find(id: string, channel: Channel, owners: ReadonlyMap<string, Channel>): Video {
    const video = this.#uploads.videos.find((each) => each.id === id)
    if (!video || (video.privacy === 'private' && video.channel !== channel.id))
      throw commentRefusal(404, 'videoNotFound')
    if (video.privacy === 'private' || video.madeForKids || owners.get(video.channel)?.hasNoComments)
      throw commentRefusal(403, 'commentsDisabled')
    return video
  }
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>')

/** The original text is shown to its author alone. */
function threadOf(comment: Comment, video: Video, { viewer, isPlain }: { viewer: string; isPlain: boolean }) {
  const { id, author, text } = comment
  const publishedAt = new Date(comment.publishedAt).toISOString()
  return {
    kind: 'youtube#commentThread',
    etag: 'etag',
    id,
    snippet: {
      channelId: video.channel,
      videoId: video.id,
      topLevelComment: {
        kind: 'youtube#comment',
        etag: 'etag',
        id,
        snippet: {
          channelId: video.channel,
          videoId: video.id,
          textDisplay: isPlain ? text : escaped(text),
          ...(author === viewer && { textOriginal: text }),
          authorDisplayName: '@someone',
          authorChannelUrl: `http://www.youtube.com/channel/${author}`,
          authorChannelId: { value: author },
          canRate: true,
          viewerRating: 'none',
          likeCount: 0,
          publishedAt,
          updatedAt: publishedAt,
        },
      },
      canReply: true,
      totalReplyCount: 0,
      isPublic: true,
    },
  }
}
