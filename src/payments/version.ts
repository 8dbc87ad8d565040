import { versionConflict } from '#lib/errors.ts'
import { expectedVersions } from '#lib/request/if-match.ts'
import { reply, type Reply, type ReplyOptions } from '#lib/reply.ts'

interface Versioned {
  version: number
}

/** With its version as ETag, for `If-Match`. */
export const versioned = <Data extends Versioned>(data: Data, options: ReplyOptions = {}): Reply<Data> =>
  reply(200, data, { ...options, headers: { ETag: `"${data.version}"` } })

interface Edited {
  input: { version?: number | undefined }
  request: { headers: Headers }
}

/** Of which the object must have one: by `If-Match`, or by the field of a form; null without a condition. */
export const editedVersions = ({ input, request }: Edited): readonly number[] | null =>
  expectedVersions(request.headers) ?? (input.version === undefined ? null : [input.version])

/** @param what Such as `this customer`. @throws {Problem} 409 `version_conflict` */
export function requireVersion({ version }: Versioned, versions: readonly number[] | null, what: string): void {
  if (!versions || versions.includes(version)) return
  throw versionConflict(what, versions, version)
}
