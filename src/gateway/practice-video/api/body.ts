import { Problem } from '#lib/errors.ts'
import { readBytes } from '#lib/request/body.ts'
import { badContent, invalidArgument, tooLarge } from '../google-error.ts'
import { maxMetadataBytes } from '../upload/sizes.ts'

export const mediaTypeOf = (value: string | null): string => (value ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

/** @throws {GoogleError} 400 for another media type or a broken body, 413 */
export async function readJson(request: Request): Promise<string> {
  const type = mediaTypeOf(request.headers.get('content-type'))
  if (type !== 'application/json') throw badContent(type, ['application/json'])
  const bytes = await readMedia(request, maxMetadataBytes)
  return new TextDecoder().decode(bytes)
}

/** @throws {GoogleError} 400 for a broken body, 413 */
export const readMedia = (request: Request, limit: number) =>
  readBytes(request, { limit }).catch((error: unknown) => {
    throw error instanceof Problem && error.status === 413 ? tooLarge() : invalidArgument('The body is malformed.')
  })
