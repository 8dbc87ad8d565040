import { expect } from 'bun:test'
import type { Media, Upload } from '#social/types'
import type { Publisher } from '../../../support/publisher.ts'
import { scaleTime } from '../../../support/time-scale.ts'
import { encodeVideo } from '../../videos.ts'

/** Whether the machine can make videos and Atrium can read them. */
export const hasFfmpeg = Bun.which('ffmpeg') !== null && Bun.which('ffprobe') !== null

/** Uploads a video of four seconds and waits until it is probed. `padding`: bytes that players skip. */
export function uploadVideo(ada: Publisher, padding = 0): Promise<Media> {
  const video = encodeVideo('a.mp4', 'testsrc2=s=180x320:r=25:d=4', '-c:v', 'libx264', '-pix_fmt', 'yuv420p')
  return uploadFile(ada, new Uint8Array([...video, ...freeBox(padding)]), 'a.mp4')
}

/** Uploads a file and waits until it is processed. */
export async function uploadFile(ada: Publisher, bytes: Uint8Array<ArrayBuffer>, name: string): Promise<Media> {
  const draft = { brandId: ada.brandId, length: bytes.byteLength, name }
  const { id } = await ada.call<Upload>('POST', '/api/uploads', draft, 201)
  const sent = await fetch(`${ada.url}/api/uploads/${id}?offset=0`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${ada.token}`,
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
    },
    body: bytes,
  })
  expect(sent.status).toBe(204)
  const end = performance.now() + scaleTime(20_000)
  for (;;) {
    const { mediaId } = await ada.call<Upload>('GET', `/api/uploads/${id}`)
    const media = mediaId ? await ada.call<Media>('GET', `/api/media/${mediaId}`) : null
    if (media?.status === 'ready') return media
    if (media?.status === 'failed' || performance.now() > end) throw new Error(`Not ready: ${JSON.stringify(media)}`)
    await Bun.sleep(100)
  }
}

function freeBox(bytes: number): Uint8Array {
  const box = new Uint8Array(bytes)
  if (bytes === 0) return box
  new DataView(box.buffer).setUint32(0, bytes)
  box.set(Buffer.from('free'), 4)
  return box
}
