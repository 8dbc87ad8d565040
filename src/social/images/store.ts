import type { GeneratedImages } from '#gateway'
import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import { logFault } from '#lib/log/fault.ts'
import { OutboundError } from '#lib/outbound.ts'
import type { BrandRow } from '../brands/brands.ts'
import { maxBytes } from '../media/input.ts'
import { storeImage } from '../media/store-image.ts'
import { noImage, notStored } from './failures.ts'

export type StoredImage = Awaited<ReturnType<typeof storeImage>>
type Answered = GeneratedImages['images'][number]

const fetchTimeoutMs = 30_000
const attempts = 4
const pauseMs = 3_000

/** Those that are images. @throws {Problem} 502 `no_image` when none is, 503 `image_not_stored` */
export async function storeAll(call: Call, brand: BrandRow, answered: readonly Answered[]): Promise<StoredImage[]> {
  const stored: StoredImage[] = []
  let failure: unknown
  for (const one of answered) {
    try {
      stored.push(await storePaid(call, brand, await readBytes(call, one)))
    } catch (error) {
      failure = error
      // It was paid; the others are in the library.
      logFault(call.log, 'generated image not stored', error, { brandId: brand.id })
    }
  }
  if (stored.length > 0) return stored
  const isJunk = failure === undefined || (failure instanceof Problem && failure.status === 422)
  throw isJunk || failure instanceof OutboundError ? noImage(failure) : notStored(failure)
}

async function readBytes({ outbound }: Call, answered: Answered): Promise<Uint8Array<ArrayBuffer>> {
  if ('base64' in answered) {
    const bytes = new Uint8Array(Buffer.from(answered.base64, 'base64'))
    if (bytes.byteLength === 0 || bytes.byteLength > maxBytes) throw noImage()
    return bytes
  }
  const response = await outbound.fetch(answered.url, { timeoutMs: fetchTimeoutMs, maxBytes })
  if (!response.ok) throw noImage(new Error(`The image’s URL responded with ${response.status}`))
  return new Uint8Array(await response.arrayBuffer())
}

/** It was paid, so it waits longer than an upload for its turn among those of its organization. */
async function storePaid(call: Call, brand: BrandRow, bytes: Uint8Array<ArrayBuffer>): Promise<StoredImage> {
  for (let left = attempts; ; left--) {
    try {
      return await storeImage(call, brand, bytes)
    } catch (error) {
      if (left === 1 || !(error instanceof Problem) || (error.status !== 429 && error.status !== 503)) throw error
      await Bun.sleep(pauseMs)
    }
  }
}
