import { Problem } from '#lib/errors.ts'
import { prepare } from '#lib/images/prepare.ts'
import type { PreparedImage } from '#lib/images/prepared.ts'
import { OutboundError, type Outbound } from '#lib/outbound.ts'

const maxBytes = 8 * 1024 * 1024
const maxTimeoutMs = 6_000

export interface ImageRequest {
  outbound: Outbound
  signal: AbortSignal
  organizationId: string
  /** For a turn to process the image. */
  waitMs: number
  /** For the download; at most, and without it, 6 s. */
  timeoutMs?: number
}

export type FetchedImage =
  | { kind: 'image'; image: PreparedImage }
  /** Its site doesn’t have it, or it isn’t a still image. */
  | { kind: 'none'; reason: string }
  /** Its site can’t be reached now, or the connection was lost. */
  | { kind: 'unreachable'; reason: string }
  /** Its site asks to retry. */
  | { kind: 'busy'; reason: string }

/** Downloads the image of a card. @throws {Problem} 429 and 503 while too many images wait, and `signal.reason` */
export async function fetchImage(
  { outbound, signal, organizationId, waitMs, timeoutMs = maxTimeoutMs }: ImageRequest,
  url: string,
): Promise<FetchedImage> {
  try {
    const response = await outbound.fetch(url, {
      signal,
      timeoutMs: Math.min(timeoutMs, maxTimeoutMs),
      maxBytes,
      headers: { accept: 'image/*' },
    })
    const { ok, status } = response
    if (!ok)
      return { kind: status === 429 || status === 503 ? 'busy' : 'none', reason: `Its site responded with ${status}.` }
    const file = new Uint8Array(await response.arrayBuffer())
    const image = await prepare({ file, organizationId, waitMs })
    return image.animation ? { kind: 'none', reason: 'It is animated.' } : { kind: 'image', image }
  } catch (error) {
    // An aborted request is an OutboundError, too.
    signal.throwIfAborted()
    if (error instanceof OutboundError)
      return { kind: isTransient(error) ? 'unreachable' : 'none', reason: error.message }
    if (error instanceof Problem && error.status === 422) return { kind: 'none', reason: 'It isn’t a readable image.' }
    throw error
  }
}

const isTransient = ({ outcome }: OutboundError): boolean =>
  outcome === 'unreachable' || outcome === 'timed_out' || outcome === 'lost'
