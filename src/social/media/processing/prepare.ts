import { join } from 'node:path'
import { invalid, retryLater } from '#lib/errors.ts'
import { createTurns } from '#lib/turns.ts'
import { preparedIn } from './message.ts'
import type { Prepared } from './prepared.ts'
import { imageTypeOf } from '../signature.ts'

const mebibyte = 1024 * 1024
const turns = createTurns({
  lanes: 2,
  waiting: 4,
  bytes: 128 * mebibyte,
  tenantBytes: 32 * mebibyte,
  refusals: {
    tooMany: {
      code: 'too_many_uploads',
      detail: 'Your organization already has too many images waiting to be processed. Upload this one again in 5 s.',
    },
    busy: {
      code: 'uploads_busy',
      detail: 'Too many images are waiting to be processed. Upload this one again in 5 s.',
    },
  },
})

/** Milliseconds that one image can take. */
const longestDrawing = 60_000
const program = join(import.meta.dir, 'draw-image.ts')

interface Uploaded {
  file: Uint8Array<ArrayBuffer>
  organizationId: string
  /** Milliseconds for which it waits for the organization's turn. */
  waitMs: number
}

/**
 * Reads an uploaded file of an organization and draws its copies, in the organization's turn. Throws 422 when it is no
 * image, damaged, or too large to decode, 429 and 503 as `Turns`, and 503 when the drawing process was killed.
 */
export async function prepare({ file, organizationId, waitMs }: Uploaded): Promise<Prepared> {
  if (!imageTypeOf(file)) throw refused('Unsupported file type. Upload a JPEG, PNG, WebP or GIF image.')
  const prepared = await turns.take({ tenant: organizationId, bytes: file.byteLength, waitMs }, () => drawnApart(file))
  if ('refused' in prepared) throw refused(prepared.refused)
  return prepared
}

/**
 * Draws in a separate process, with an empty environment but as the same user: a large image would block this process's few
 * threads, and a crash or a hang ends with that process.
 */
async function drawnApart(file: Uint8Array<ArrayBuffer>) {
  const child = Bun.spawn([process.execPath, '--no-orphans', program], {
    stdio: [file, 'pipe', 'pipe'],
    env: {},
  })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, longestDrawing)
  const [answer, said] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ]).finally(() => clearTimeout(timer))
  if (isLate) return { refused: 'This image takes too long to process. Upload a smaller one.' }
  if (child.signalCode) throw interrupted(child.signalCode)
  if (child.exitCode !== 0) throw new Error(`The image process exited with ${child.exitCode}: ${said}`)
  return preparedIn(answer)
}

/** An operator or the kernel, out of memory, killed the process, which doesn't mean that the file is bad. */
const interrupted = (signal: string | number) =>
  retryLater(503, 'upload_interrupted', 'Processing this image was interrupted. Upload it again in 5 s.', {
    cause: new Error(`The image process was killed by ${signal}`),
  })

const refused = (message: string) => invalid([{ path: 'file', message }])
