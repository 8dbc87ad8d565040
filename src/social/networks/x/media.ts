import { z } from 'zod'
import { truncate } from '#lib/text.ts'
import type { OutgoingMedia, PublishCall } from '../network.ts'
import { NotCreatedError, unexpectedResponse } from '../not-created.ts'
import { step } from './api.ts'

/** X takes 5 MB per request. */
const chunkBytes = 4 * 1024 * 1024
const maxAltCharacters = 1000

const Upload = z.object({
  data: z.object({
    id: z.string().regex(/^\d{1,20}$/),
    processing_info: z
      .object({
        state: z.string(),
        check_after_secs: z.number().min(0).max(60).catch(1),
        error: z.object({ message: z.string() }).optional().catch(undefined),
      })
      .optional(),
  }),
})

/** One file at a time, to hold only one in memory. @throws NotCreatedError */
export async function uploadMedia(call: PublishCall): Promise<string[]> {
  const ids: string[] = []
  for (const media of call.media) ids.push(await upload(call, media))
  return ids
}

async function upload(call: PublishCall, { contentType, alt, bytes }: OutgoingMedia): Promise<string> {
  const content = await bytes()
  const started = await step(call, '/2/media/upload/initialize', {
    method: 'POST',
    json: { media_type: contentType, media_category: categoryOf(contentType), total_bytes: content.length },
  })
  const { id } = await readUpload(started)
  for (let at = 0; at * chunkBytes < content.length; at++) {
    const body = new FormData()
    body.set('segment_index', String(at))
    body.set('media', new Blob([content.subarray(at * chunkBytes, (at + 1) * chunkBytes)]), 'media')
    await step(call, `/2/media/upload/${id}/append`, { method: 'POST', body })
  }
  await waitUntilProcessed(call, id)
  if (alt)
    await step(call, '/2/media/metadata', {
      method: 'POST',
      json: { id, metadata: { alt_text: { text: truncate(alt, maxAltCharacters) } } },
    })
  return id
}

function categoryOf(contentType: string): string {
  if (contentType === 'image/gif') return 'tweet_gif'
  return contentType.startsWith('video/') ? 'tweet_video' : 'tweet_image'
}

/** At most until the call's timeout. */
async function waitUntilProcessed(call: PublishCall, id: string): Promise<void> {
  let response = await step(call, `/2/media/upload/${id}/finalize`, { method: 'POST' })
  for (;;) {
    const { processing_info: processing } = await readUpload(response)
    if (!processing || processing.state === 'succeeded') return
    if (processing.state === 'failed')
      throw new NotCreatedError({
        kind: 'refused',
        code: 'media_refused',
        message: `X couldn’t process a file of the post (${processing.error?.message ?? 'without a reason'}). Replace it.`,
        transient: false,
      })
    await Bun.sleep(processing.check_after_secs * 1000)
    response = await step(call, `/2/media/upload?command=STATUS&media_id=${id}`, {})
  }
}

async function readUpload(response: Response): Promise<z.output<typeof Upload>['data']> {
  const parsed = Upload.safeParse(await response.json().catch(() => null))
  if (!parsed.success) throw unexpectedResponse('X')
  return parsed.data.data
}
