import { z } from 'zod'
import { classifyStepFailure, uploadTimeoutMs } from '../http.ts'
import type { OutgoingMedia, PrepareCall, Preparation, PublishCall, Refusal } from '../network.ts'
import { NotCreatedError, readStepRefusal, requestStep } from '../not-created.ts'
import { name, step } from './api.ts'

/** The least that TikTok takes; its last chunk is up to twice as long. */
const chunkBytes = 5 * 1024 * 1024

const Creator = z.object({
  privacy_level_options: z.array(z.string()).min(1),
  comment_disabled: z.boolean().catch(false),
  duet_disabled: z.boolean().catch(false),
  stitch_disabled: z.boolean().catch(false),
  max_video_post_duration_sec: z.number().catch(Infinity),
})
type Creator = z.output<typeof Creator>

const Started = z.object({ publish_id: z.string().max(100), upload_url: z.url() })

const Progress = z.object({ publishId: z.string(), uploadUrl: z.url(), sent: z.int() })
type UploadProgress = z.output<typeof Progress>
const Prepared = z.object({ publishId: z.string(), uploadUrl: z.url(), size: z.int() }).nullable()
export const uploadOf = (prepared: unknown): z.output<typeof Prepared> => Prepared.safeParse(prepared).data ?? null

export const readCreator = (call: PublishCall | PrepareCall): Promise<Creator> =>
  step(call, '/v2/post/publish/creator_info/query/', {}, Creator)

/** As public as the account allows. */
export const postInfoOf = ({ privacy_level_options: options, comment_disabled: disable_comment }: Creator) => ({
  privacy_level: options.find((option) => option === 'PUBLIC_TO_EVERYONE') ?? options[0],
  disable_comment,
})

const refuse = (code: string, message: string): Refusal => ({ kind: 'refused', code, message, transient: false })

/** TikTok publishes a video as soon as it has all of it: everything but the last chunk is sent before. */
export async function prepare(call: PrepareCall): Promise<Preparation> {
  const [file] = call.media
  if (!file) return refuse('media_missing', 'TikTok needs a video or an image. Add one.')
  if (!file.contentType.startsWith('video/')) return { kind: 'ready', prepared: {} }
  try {
    const progress = call.progress === null ? await start(call, file) : Progress.parse(call.progress)
    while (file.size - progress.sent >= 2 * chunkBytes) {
      await put(call, file, progress, progress.sent + chunkBytes)
      progress.sent += chunkBytes
      await call.save(progress, (100 * progress.sent) / file.size)
    }
    return {
      kind: 'ready',
      prepared: { publishId: progress.publishId, uploadUrl: progress.uploadUrl, size: file.size },
    }
  } catch (error) {
    return error instanceof NotCreatedError ? error.outcome : classifyStepFailure(name, error)
  }
}

async function start(call: PrepareCall, file: OutgoingMedia): Promise<UploadProgress> {
  const { size } = file
  const creator = await readCreator(call)
  checkLength(file, creator)
  const { duet_disabled: disable_duet, stitch_disabled: disable_stitch } = creator
  const isWhole = size < 2 * chunkBytes
  const { publish_id: publishId, upload_url: uploadUrl } = await step(
    call,
    '/v2/post/publish/video/init/',
    {
      post_info: { ...postInfoOf(creator), disable_duet, disable_stitch, title: call.text },
      source_info: {
        source: 'FILE_UPLOAD',
        video_size: size,
        chunk_size: isWhole ? size : chunkBytes,
        total_chunk_count: isWhole ? 1 : Math.floor(size / chunkBytes),
      },
    },
    Started,
  )
  const progress = { publishId, uploadUrl, sent: 0 }
  await call.save(progress, 0)
  return progress
}

/** TikTok allows longer videos to some accounts than to others. @throws NotCreatedError */
function checkLength({ durationMs }: OutgoingMedia, { max_video_post_duration_sec: most }: Creator): void {
  const seconds = Math.floor((durationMs ?? 0) / 1000)
  if (seconds <= most) return
  const message = `This account can publish videos of at most ${most} s. This one is ${seconds} s long. Choose a shorter one.`
  throw new NotCreatedError(refuse('media_refused', message))
}

type Upload = Pick<UploadProgress, 'uploadUrl' | 'sent'>

/** @throws NotCreatedError */
async function put(call: PrepareCall, file: OutgoingMedia, upload: Upload, end: number): Promise<void> {
  const response = await requestStep(name, () => sendChunk(call, file, upload, end))
  if (!response.ok) throw new NotCreatedError(await readStepRefusal(name, response))
}

/** The address contains its own credential. Throws like `fetch`. */
export async function sendChunk(
  { outside, signal }: Pick<PrepareCall, 'outside' | 'signal'>,
  file: OutgoingMedia,
  { uploadUrl, sent }: Upload,
  end: number,
): Promise<Response> {
  return outside.fetch(outside.at(uploadUrl), {
    method: 'PUT',
    headers: { 'content-type': file.contentType, 'content-range': `bytes ${sent}-${end - 1}/${file.size}` },
    body: await file.slice(sent, end),
    signal,
    timeoutMs: uploadTimeoutMs,
  })
}
