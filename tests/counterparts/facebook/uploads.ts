import { z } from 'zod'
import { graphError, invalidParameter, missingObject } from '../graph/errors.ts'
import type { Params } from '../graph/params.ts'
import type { Call } from '../wire/call.ts'
import { secret } from '../wire/grants.ts'

interface Session {
  id: string
  owner: string
  length: number
  received: number
  handle: string
}

const Start = z.strictObject({
  file_name: z.string().optional(),
  file_length: z.string().regex(/^\d+$/),
  file_type: z.enum(['video/mp4', 'image/jpeg', 'image/jpg', 'image/png', 'application/pdf']),
  upload_phase: z.never().optional(),
})

/** Sessions of the Resumable Upload API. */
export class Uploads {
  readonly #sessions = new Map<string, Session>()
  /** Bytes after which the next upload breaks off, null to take it whole. */
  breaksAfter: number | null = null

  start(params: Params, owner: string): Response {
    const { file_length } = params.read(Start)
    const session = { id: `upload:${secret(12)}`, owner, length: Number(file_length), received: 0, handle: secret(24) }
    this.#sessions.set(session.id, session)
    return Response.json({ id: session.id })
  }

  /** Takes bytes from the offset that the session has. A complete file has a handle. */
  append(call: Call, owner: string): Response {
    const session = this.#own(call.param('id'), owner)
    const offset = call.headers.get('file_offset')
    if (offset !== String(session.received))
      throw graphError({
        code: 100,
        subcode: 1_363_037,
        message: `(#100) The file_offset is ${offset}, not ${session.received}.`,
      })
    const { breaksAfter } = this
    this.breaksAfter = null
    session.received += Math.min(call.bytes.length, breaksAfter ?? Infinity)
    if (session.received > session.length) throw invalidParameter('The file is longer than file_length')
    if (breaksAfter !== null)
      throw graphError({ status: 500, code: 2, message: 'Upload interrupted', isTransient: true })
    if (session.received < session.length) return Response.json({ id: session.id, file_offset: session.received })
    return Response.json({ h: session.handle })
  }

  progress(id: string, owner: string): Response {
    return Response.json({ id, file_offset: this.#own(id, owner).received })
  }

  /** The bytes of a complete upload by its handle. */
  bytesOf(handle: string): number {
    const found = [...this.#sessions.values()].find((session) => session.handle === handle)
    if (!found || found.received < found.length) throw invalidParameter('Invalid fbuploader_video_file_chunk')
    return found.length
  }

  #own(id: string, owner: string): Session {
    const session = this.#sessions.get(id)
    if (session?.owner !== owner) throw missingObject(id)
    return session
  }
}
