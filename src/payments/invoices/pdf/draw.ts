import { join } from 'node:path'
import { retryLater } from '#lib/errors.ts'
import { createTurns } from '#lib/turns.ts'

const mebibyte = 1024 * 1024
const turns = createTurns({
  lanes: 2,
  waiting: 8,
  bytes: 64 * mebibyte,
  tenantBytes: 8 * mebibyte,
  refusals: {
    tooMany: {
      code: 'too_many_documents',
      detail: 'Too many documents of this organization are waiting to be drawn. Request this one again in 5 s.',
    },
    busy: {
      code: 'documents_busy',
      detail: 'Too many documents are waiting to be drawn. Request this one again in 5 s.',
    },
  },
})
const waitMs = 30_000
const drawingTimeoutMs = 30_000
const maxCachedBytes = 32 * mebibyte
const program = join(import.meta.dir, 'draw-document.ts')

/** Of operations that draw. */
export const drawingProblems = { too_many_documents: 429, documents_busy: 503, document_interrupted: 503 } as const

/** By the digest of what they were drawn from, the latest used last. */
const cache = new Map<string, Uint8Array<ArrayBuffer>>()
const drawings = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()
let cachedBytes = 0

interface Drawing {
  /** Of the message. */
  digest: string
  message: string
  organizationId: string
}

/**
 * The PDF of a message, drawn once while it is in the cache. @throws {Problem} 429 when too many of its organization
 * wait, 503 when too many wait at all or the drawing was interrupted
 */
export async function drawDocument({ digest, message, organizationId }: Drawing): Promise<Uint8Array<ArrayBuffer>> {
  const cached = cache.get(digest)
  if (cached) {
    cache.delete(digest)
    cache.set(digest, cached)
    return cached
  }
  const running = drawings.get(digest)
  if (running) return running
  const drawing = turns
    .take({ tenant: organizationId, bytes: message.length, waitMs }, () => drawInProcess(message))
    .then((bytes) => {
      keep(digest, bytes)
      return bytes
    })
    .finally(() => drawings.delete(digest))
  drawings.set(digest, drawing)
  return drawing
}

function keep(digest: string, bytes: Uint8Array<ArrayBuffer>): void {
  cache.set(digest, bytes)
  cachedBytes += bytes.byteLength
  for (const [oldest, { byteLength }] of cache) {
    if (cachedBytes <= maxCachedBytes) return
    cache.delete(oldest)
    cachedBytes -= byteLength
  }
}

/** A separate process with an empty environment: it takes up to seconds of a core, which other requests don’t wait for. */
async function drawInProcess(message: string): Promise<Uint8Array<ArrayBuffer>> {
  const child = Bun.spawn([process.execPath, program], {
    stdio: [new TextEncoder().encode(message), 'pipe', 'pipe'],
    env: {},
    timeout: drawingTimeoutMs,
    killSignal: 'SIGKILL',
  })
  const [bytes, stderr] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (child.signalCode) throw interrupted(child.signalCode)
  if (child.exitCode !== 0) throw new Error(`The process that draws a PDF exited with ${child.exitCode}: ${stderr}`)
  return bytes
}

/** By the time limit, the operator or the kernel (out of memory). */
const interrupted = (signal: string | number) =>
  retryLater(503, 'document_interrupted', 'Drawing this document was interrupted. Request it again in 5 s.', {
    cause: new Error(`The process that draws a PDF was killed by ${signal}`),
  })
