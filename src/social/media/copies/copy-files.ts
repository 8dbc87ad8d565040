import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { type Database, transact } from '#lib/db.ts'
import { conflict, invalid, notFound, rethrowAsNothingDone } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { createTurns } from '#lib/turns.ts'
import * as brands from '../../brands/brands.ts'
import { Rendition } from '../../contract/media.ts'
import { media } from '../../schema.ts'
import { keyOf, propertiesOf, variantKey, type MediaRow, type Variant } from '../files.ts'
import { requireRoom } from '../library/storage.ts'
import { announceFiles, withdrawFiles } from '../loose-files.ts'
import * as library from '../media.ts'
import { insertUnread } from '../store-file.ts'
import { withLocalFile } from '../video/local-file.ts'
import { discardFiles } from './discard-files.ts'

type CopyCall = Call<unknown, Actor>

/** The problems of `withFileCopies`, for the operations that copy files. */
export const copyProblems = {
  media_not_ready: 409,
  upload_quota_exceeded: 409,
  too_many_copies: 429,
  copies_busy: 503,
  storage_unavailable: 503,
} as const

export const maxFilesAtOnce = 50
/** More could take longer than a request does. */
const maxBytesAtOnce = 1_000_000_000

/** In milliseconds. Together with the copying within the time of a request. */
const maxWaitMs = 20_000

const turns = createTurns({
  lanes: 2,
  waiting: 4,
  bytes: 200,
  tenantBytes: 4,
  refusals: {
    tooMany: {
      code: 'too_many_copies',
      detail: 'Your organization is already copying files, and other requests wait for it. Try again in 5 s.',
    },
    busy: { code: 'copies_busy', detail: 'Too many files are being copied. Try again in 5 s.' },
  },
})

interface Copies {
  /** The brand whose library gets the copies. */
  brandId: string
  /** The files. Each is copied once. */
  ids: readonly string[]
  /** The caller’s field that chooses them. */
  path: string
}

/** The copies by the IDs of their originals, in the order of `ids`. */
export type FileCopies = ReadonlyMap<string, MediaRow>

/** Whose files are stored and announced to the sweep, until its row is inserted. */
interface StoredCopy {
  id: string
  from: MediaRow
}

/**
 * Copies files to the library of another brand, and calls `record` in the transaction that inserts their rows. When either
 * fails, the copies are deleted. One request of an organization copies at a time.
 * @throws {Problem} 404, `copyProblems`, 422 for too much at once, and as `record`
 */
export async function withFileCopies<Result>(
  call: CopyCall,
  { brandId, ids, path }: Copies,
  record: (tx: Database, copies: FileCopies) => Promise<Result>,
): Promise<Result> {
  const insertAll = (copies: readonly StoredCopy[]) =>
    auditedTransaction(call, async (tx) => record(tx, await insertCopies(call, tx, brandId, copies)))
  const { organizationId } = await brands.get(call.db, call.actor, brandId)
  const originals = await findOriginals(call, ids, path)
  if (originals.length === 0) return insertAll([])
  const turn = { tenant: organizationId, bytes: 1, waitMs: maxWaitMs, signal: call.signal }
  return turns
    .take(turn, async () => {
      // Before anything is written.
      await transact(call.db, (tx) => requireRoom(tx, call.config, organizationId, { length: lengthOf(originals) }))
      const copies = originals.map((from) => ({ id: newId(), from }))
      try {
        for (const copy of copies) await storeCopy(call, brandId, copy)
        call.signal.throwIfAborted()
        return await insertAll(copies)
      } catch (error) {
        // When this fails too, they are swept an hour later.
        await discardFiles(call, keysOf(brandId, copies)).catch(() => {})
        throw error
      }
    })
    .catch(rethrowAsNothingDone)
}

/** @throws {Problem} 404, 409 for a file that is being processed, 422 for too many or too large ones */
async function findOriginals({ db, actor }: CopyCall, ids: readonly string[], path: string): Promise<MediaRow[]> {
  const each = new Set(ids)
  if (each.size > maxFilesAtOnce) throw tooMuch(path, `At most ${maxFilesAtOnce} files can be copied at once.`)
  const rows: MediaRow[] = []
  for (const id of each) rows.push(await library.get(db, actor, id))
  if (lengthOf(rows) > maxBytesAtOnce)
    throw tooMuch(path, 'Files of up to 1 GB can be copied at once. Copy fewer, or upload them.')
  const unready = rows.find(({ status }) => status !== 'ready')
  if (unready) throw conflict('media_not_ready', `“${unready.name}” isn’t ready yet, or can’t be read.`)
  return rows
}

const tooMuch = (path: string, message: string) => invalid([{ path, message }])

async function storeCopy(call: CopyCall, brandId: string, { id, from }: StoredCopy): Promise<void> {
  const key = keyOf({ id, brandId })
  call.signal.throwIfAborted()
  await announceFiles(call, [key])
  for (const variant of variantsOf(from)) {
    call.signal.throwIfAborted()
    const { contentType } = propertiesOf(from, variant) ?? from
    const stored = await withLocalFile(call, variantKey(keyOf(from), variant), async (path) => {
      await call.storage.putFile(variantKey(key, variant), path, contentType)
      return true
    })
    if (!stored) throw notFound('file')
  }
}

const variantsOf = ({ renditions }: MediaRow): Variant[] => [
  'original',
  ...Rendition.options.filter((name) => renditions[name] !== undefined),
]

/** With their renditions, in bytes. */
const lengthOf = (rows: readonly MediaRow[]): number => rows.reduce((sum, { storedBytes }) => sum + storedBytes, 0)

const keysOf = (brandId: string, copies: readonly StoredCopy[]): string[] =>
  copies.map(({ id }) => keyOf({ id, brandId }))

/**
 * Inserts the rows of stored copies, and withdraws their files from the sweep. Until the transaction ends, the brand keeps
 * its organization.
 * @throws {Problem} 404 for the brand, 409 when the storage is full
 */
async function insertCopies(
  { config, queue, actor, now }: CopyCall,
  tx: Database,
  brandId: string,
  copies: readonly StoredCopy[],
): Promise<FileCopies> {
  const { organizationId } = await brands.hold(tx, actor, brandId)
  const made = new Map<string, MediaRow>()
  if (copies.length === 0) return made
  await requireRoom(tx, config, organizationId, { length: lengthOf(copies.map(({ from }) => from)) })
  await withdrawFiles(tx, keysOf(brandId, copies))
  for (const { id, from } of copies) {
    const { storedBytes: _, ...facts } = from
    const values = { ...facts, id, brandId, createdBy: actor.principal.id, createdAt: now() }
    // A video whose copy for networks isn’t written yet is read again.
    const isComplete = !/waiting|running/.test(from.transcoding?.state ?? '')
    const row = isComplete
      ? (await tx.insert(media).values(values).returning())[0]
      : await insertUnread(tx, queue, values)
    if (!row) throw new Error('A copied file was not stored')
    recordChange(tx, { object: 'media', id, after: row })
    made.set(from.id, row)
  }
  return made
}
