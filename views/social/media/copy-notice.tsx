import type { Media } from '#social/types'
import { Notice } from '#views/ui/feedback.tsx'

/** What becomes of the copy that networks take, while there is none. */
export const CopyNotice = ({ file }: { file: Pick<Media, 'transcoding'> }) => {
  const text = textOf(file)
  return text ? <Notice tone="info" text={text} /> : null
}

function textOf({ transcoding }: Pick<Media, 'transcoding'>): string | null {
  if (!transcoding || transcoding.state === 'completed') return null
  if (transcoding.state === 'waiting') return 'This video waits to be converted to MP4 with H.264, which networks take.'
  if (transcoding.state === 'running')
    return `This video is being converted to MP4 with H.264, which networks take: ${transcoding.percent}%.`
  if (transcoding.state === 'failed') return transcoding.failure ?? 'This video could not be converted.'
  return 'This server has no ffmpeg, so it can’t convert videos. Networks that don’t take this one will refuse it: upload an MP4 with H.264.'
}
