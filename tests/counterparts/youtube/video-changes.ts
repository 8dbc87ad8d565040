import { z } from 'zod'
import type { Call } from '../wire/call.ts'
import { invalidMetadata, refuse } from './errors.ts'
import { partsOf } from './lists.ts'
import { videoResource, type Channel, type Uploads, type Video } from './uploads.ts'

// https://developers.google.com/youtube/v3/docs/videos/update and …/delete

const Update = z.strictObject({
  id: z.string().min(1),
  snippet: z
    .strictObject({
      title: z.string().optional(),
      description: z.string().optional(),
      tags: z.array(z.string()).optional(),
      categoryId: z.string().optional(),
      defaultLanguage: z.string().optional(),
      defaultAudioLanguage: z.string().optional(),
    })
    .optional(),
})

const angled = /[<>]/

/** A property of the snippet that the body leaves out is deleted; its title and category are required. */
export function updateVideo(call: Call, channel: Channel, uploads: Uploads): Response {
  const parts = partsOf(call.search(z.strictObject({ part: z.string() })).part, ['id', 'snippet'])
  const { id, snippet } = call.json(Update)
  if (snippet && !parts.includes('snippet'))
    throw refuse(400, "'snippet'", { reason: 'unexpectedPart', domain: 'youtube.part', location: 'part' })
  const video = ownVideo(id, channel, uploads)
  if (parts.includes('snippet')) {
    const { title = '', description = '', tags = [], categoryId = '' } = snippet ?? {}
    if (title.trim() === '' || angled.test(title))
      throw invalidMetadata('invalidTitle', 'The request metadata specifies an invalid or empty video title.', 'title')
    if (categoryId === '')
      throw invalidMetadata('invalidCategoryId', 'The snippet.categoryId property is required.', 'snippet.categoryId')
    if (Buffer.byteLength(description) > 5_000 || angled.test(description))
      throw invalidMetadata(
        'invalidDescription',
        'The request metadata specifies an invalid video description.',
        'body.snippet.description',
      )
    Object.assign(video, { title, description, tags, categoryId })
  }
  return Response.json(videoResource(video, parts))
}

export function removeVideo(call: Call, channel: Channel, uploads: Uploads): Response {
  const { id } = call.search(z.strictObject({ id: z.string().min(1) }))
  uploads.videos.splice(uploads.videos.indexOf(ownVideo(id, channel, uploads)), 1)
  return new Response(null, { status: 204 })
}

function ownVideo(id: string, channel: Channel, uploads: Uploads): Video {
  const video = uploads.videos.find((each) => each.id === id)
  if (!video)
    throw refuse(404, 'The video that you are trying to change cannot be found.', {
      reason: 'videoNotFound',
      domain: 'youtube.video',
      location: 'id',
      locationType: 'parameter',
    })
  if (video.channel !== channel.id)
    throw refuse(403, 'The request is not properly authorized.', { reason: 'forbidden', domain: 'youtube.video' })
  return video
}
