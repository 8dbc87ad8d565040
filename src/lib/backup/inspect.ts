import type { Secrets } from '#lib/secrets.ts'
import { StartupError } from '#lib/startup-error.ts'
import { readEntry, type ArchiveEntry } from './archive.ts'
import { Manifest, manifestName } from './manifest.ts'
import { createContentDigest, verifySignature, Signature, signatureName } from './signature.ts'

export interface InspectedArchive {
  manifest: Manifest
  signed: boolean
  digest: Uint8Array
}

/** @throws {StartupError} when this release can't read it, or it was changed since it was signed */
export async function inspectArchive(
  entries: AsyncIterable<ArchiveEntry>,
  secrets: Secrets,
): Promise<InspectedArchive> {
  const digest = createContentDigest()
  let manifest: Manifest | undefined
  let signature: Signature | undefined
  for await (const entry of entries) {
    if (signature) throw changedError()
    if (entry.name === manifestName) {
      const bytes = await readEntry(entry)
      manifest ??= Manifest.safeParse(parseJson(bytes)).data
      await digest.add(entry.name, [bytes])
    } else if (entry.name === signatureName) {
      signature = Signature.safeParse(parseJson(await readEntry(entry))).data ?? { keyId: '', mac: '' }
    } else await digest.add(entry.name, entry.bytes)
  }
  if (!manifest)
    throw new StartupError(
      'This file isn’t a backup, or was created by a release whose backups this release can’t read.',
    )
  const whole = digest.end()
  const matches = signature ? verifySignature(signature, secrets, whole) : null
  if (matches === false) throw changedError()
  return { manifest, signed: matches === true, digest: whole }
}

/** Read each to its end before the next. @throws {StartupError} after the last one when the digest differs */
export async function* requireSame(
  entries: AsyncIterable<ArchiveEntry>,
  expected: Uint8Array,
): AsyncGenerator<ArchiveEntry> {
  const digest = createContentDigest()
  for await (const { name, bytes } of entries)
    yield { name, bytes: name === signatureName ? bytes : digest.passThrough(name, bytes) }
  if (Buffer.compare(digest.end(), expected) !== 0)
    throw new StartupError(
      'The backup file changed while it was read. Nothing was restored. Try again, or use another backup.',
    )
}

const changedError = () =>
  new StartupError(
    'The backup was changed or damaged after it was created: its signature doesn’t match. Use another backup.',
  )

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return null
  }
}
