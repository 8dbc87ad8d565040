import type { Database } from '#lib/db.ts'
import { newHash, type RunningHashes } from './running-hashes.ts'
import { recordPiece, type Session, type VideoRow } from './sessions.ts'
import { granuleBytes, pieceBytes } from './sizes.ts'

export interface Body {
  chunks: AsyncIterable<Uint8Array>
  /** The offset of its first byte in the file. */
  first: number
  /** Of the body; null when it is not known. */
  length: number | null
  /** Whether nothing follows it: its end is the end of the file. */
  endsFile: boolean
  /** After which the connection is to be broken. */
  cutAfter?: number
}

interface Receiver {
  db: Database
  hashes: RunningHashes
  now(): Date
  delayMs: number
}

export interface Outcome {
  /** Bytes of the body that arrived. */
  arrived: number
  isComplete: boolean
  video: VideoRow | null
}

/**
 * Hashes a body piece by piece. Of one that breaks off, multiples of 256 KiB remain.
 * @throws {OvertakenError}
 */
export async function receiveBytes(receiver: Receiver, session: Session, body: Body): Promise<Outcome> {
  const writer = createWriter(receiver, session)
  const most = Math.min(body.length ?? Infinity, body.cutAfter ?? Infinity)
  // Bytes that are there already are skipped.
  let skip = session.received - body.first
  let arrived = 0
  const chunks = body.chunks[Symbol.asyncIterator]()
  let chunk = await readNext(chunks)
  while (chunk instanceof Uint8Array && arrived <= most) {
    const taken = chunk.subarray(0, most - arrived)
    arrived += chunk.byteLength
    await writer.write(taken.subarray(Math.min(skip, taken.byteLength)))
    skip -= Math.min(skip, taken.byteLength)
    if (body.cutAfter !== undefined && arrived >= body.cutAfter) break
    chunk = await readNext(chunks)
  }
  const isComplete = chunk === 'end' && (body.length ?? arrived) === arrived
  if (isComplete && body.endsFile) session.length ??= body.first + arrived
  const video = isComplete ? await writer.finish() : await writer.breakOff()
  return { arrived, isComplete, video }
}

async function readNext(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array | 'end' | 'broken'> {
  try {
    const { done, value } = await chunks.next()
    return done ? 'end' : value
  } catch {
    return 'broken'
  }
}

function createWriter({ db, hashes, now, delayMs }: Receiver, session: Session) {
  let whole = hashes.at(session.id, session.received)
  let piece = newHash()
  let length = 0
  const snapshot = () => ({ length, piece: piece.copy(), whole: whole?.copy() ?? null })
  /** Where the piece was last a multiple of 256 KiB. */
  let safe = snapshot()

  const record = async (): Promise<VideoRow | null> => {
    if (length === 0) return null
    await Bun.sleep(delayMs)
    const sha256 = whole?.copy().digest('hex') ?? null
    const video = await recordPiece(db, session, {
      piece: { length, sha256: piece.digest('hex') },
      sha256,
      now: now(),
    })
    if (video) hashes.delete(session.id)
    else if (whole) hashes.set(session.id, session.received, whole)
    piece = newHash()
    length = 0
    safe = snapshot()
    return video
  }
  return {
    write: async (bytes: Uint8Array) => {
      for (let at = 0; at < bytes.byteLength;) {
        if (length >= pieceBytes) await record()
        const next = bytes.subarray(at, at + granuleBytes - ((session.received + length) % granuleBytes))
        piece.update(next)
        whole?.update(next)
        length += next.byteLength
        at += next.byteLength
        if ((session.received + length) % granuleBytes === 0) safe = snapshot()
      }
    },
    finish: record,
    breakOff: () => {
      ;({ length, piece, whole } = safe)
      return record()
    },
  }
}
