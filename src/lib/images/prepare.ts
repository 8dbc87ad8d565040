import { join } from 'node:path'
import { invalid, retryLater } from '../errors.ts'
import { createTurns } from '../turns.ts'
import type { Edit } from './edit.ts'
import { decodeMessage } from './message.ts'
import type { PreparedImage } from './prepared.ts'
import { imageTypeOf } from './image-type.ts'

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

const drawingTimeoutMs = 60_000
const program = join(import.meta.dir, 'draw-image.ts')

interface UploadedImage {
  file: Uint8Array<ArrayBuffer>
  organizationId: string
  waitMs: number
  edit?: Edit
}

/** @throws {Problem} 422 for other files and damaged or too large images, 429 and 503 as `Turns`, 503 */
export async function prepare({ file, organizationId, waitMs, edit }: UploadedImage): Promise<PreparedImage> {
  if (!imageTypeOf(file)) throw fileProblem('Unsupported file type. Upload a JPEG, PNG, WebP or GIF image.')
  const prepared = await turns.take({ tenant: organizationId, bytes: file.byteLength, waitMs }, () =>
    drawInProcess(file, edit),
  )
  if ('rejected' in prepared) throw fileProblem(prepared.rejected)
  return prepared
}

/** A separate process with an empty environment: large images block no threads here, and a crash ends there. */
async function drawInProcess(file: Uint8Array<ArrayBuffer>, edit?: Edit) {
  const edits = edit ? [JSON.stringify(edit)] : []
  const child = Bun.spawn([process.execPath, program, ...edits], {
    stdio: [file, 'pipe', 'pipe'],
    env: {},
  })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, drawingTimeoutMs)
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ]).finally(() => clearTimeout(timer))
  if (isLate) return { rejected: 'This image takes too long to process. Upload a smaller one.' }
  if (child.signalCode) throw interruptedProblem(child.signalCode)
  if (child.exitCode !== 0) throw new Error(`The image process exited with ${child.exitCode}: ${stderr}`)
  return decodeMessage(stdout)
}

/** The operator or the kernel (out of memory) killed it, which doesn't mean that the file is bad. */
const interruptedProblem = (signal: string | number) =>
  retryLater(503, 'upload_interrupted', 'Processing this image was interrupted. Upload it again in 5 s.', {
    cause: new Error(`The image process was killed by ${signal}`),
  })

const fileProblem = (message: string) => invalid([{ path: 'file', message }])
