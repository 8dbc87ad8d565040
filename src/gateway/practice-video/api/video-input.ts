import { z } from 'zod'
import type { VideoInput } from '../contract.ts'
import { GoogleError, invalidArgument } from '../google-error.ts'

const text = z.string()
/** Properties that YouTube fills in: accepted and ignored, as it does. */
const readOnly = z.unknown().optional()

const Snippet = z.strictObject({
  title: text.optional(),
  description: text.optional(),
  tags: z.array(text).optional(),
  categoryId: text.optional(),
  defaultLanguage: text.optional(),
  defaultAudioLanguage: text.optional(),
  channelId: readOnly,
  channelTitle: readOnly,
  liveBroadcastContent: readOnly,
  localized: readOnly,
  publishedAt: readOnly,
  thumbnails: readOnly,
})

const Status = z.strictObject({
  privacyStatus: z.enum(['public', 'unlisted', 'private']).optional(),
  embeddable: z.boolean().optional(),
  license: z.enum(['youtube', 'creativeCommon']).optional(),
  publicStatsViewable: z.boolean().optional(),
  publishAt: text.optional(),
  selfDeclaredMadeForKids: z.boolean().optional(),
  containsSyntheticMedia: z.boolean().optional(),
  failureReason: readOnly,
  madeForKids: readOnly,
  rejectionReason: readOnly,
  uploadStatus: readOnly,
})

const VideoBody = z.strictObject({
  id: text.optional(),
  kind: text.optional(),
  etag: text.optional(),
  snippet: Snippet.optional(),
  status: Status.optional(),
  recordingDetails: z
    .strictObject({ recordingDate: text.optional(), locationDescription: text.optional(), location: readOnly })
    .optional(),
  localizations: z.record(text, z.strictObject({ title: text.optional(), description: text.optional() })).optional(),
})
export type VideoBody = z.output<typeof VideoBody>

/** @throws {GoogleError} 400 for malformed JSON, unknown members and wrong types */
export function parseVideo(json: string): VideoBody {
  const parsed = VideoBody.safeParse(parseJson(json))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues.find(({ code }) => code === 'unrecognized_keys') ?? parsed.error.issues[0]
  const at = ['resource', ...(issue?.path.map(String) ?? [])].join('.')
  throw invalidArgument(
    issue?.code === 'unrecognized_keys'
      ? `Invalid JSON payload received. Unknown name "${issue.keys[0]}" at '${at}': Cannot find field.`
      : `Invalid value at '${at}'`,
  )
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new GoogleError(400, 'Parse Error', { reason: 'parseError' })
  }
}

const invalid = (reason: string, message: string, location: string) =>
  new GoogleError(400, message, {
    reason,
    domain: 'youtube.video',
    location: `body.${location}`,
    locationType: 'other',
  })

const writable = ['snippet', 'status', 'recordingDetails', 'localizations'] as const

/** @throws {GoogleError} 400 for metadata that YouTube refuses, and for parts that `part` does not name */
export function checkVideo(video: VideoBody, parts: readonly string[]): void {
  const unexpected = writable.find((part) => video[part] && !parts.includes(part))
  if (unexpected)
    throw new GoogleError(400, `'${unexpected}'`, {
      reason: 'unexpectedPart',
      domain: 'youtube.part',
      location: 'part',
      locationType: 'parameter',
    })
  if (parts.includes('snippet')) checkSnippet(video.snippet ?? {})
  const { publishAt, privacyStatus } = video.status ?? {}
  if (
    publishAt !== undefined &&
    (privacyStatus !== 'private' || !z.iso.datetime({ offset: true }).safeParse(publishAt).success)
  )
    throw invalid(
      'invalidPublishAt',
      'The request metadata specifies an invalid scheduled publishing time.',
      'status.publishAt',
    )
}

const maxTitle = 100
const maxDescriptionBytes = 5_000
const maxTags = 500
const categories = new Set('1 2 10 15 17 19 20 22 23 24 25 26 27 28 29'.split(' '))
const language = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/

function checkSnippet({
  title = '',
  description = '',
  tags = [],
  categoryId,
  ...languages
}: NonNullable<VideoBody['snippet']>): void {
  if (title.trim() === '' || [...title].length > maxTitle || /[<>]/.test(title))
    throw invalid('invalidTitle', 'The request metadata specifies an invalid or empty video title.', 'snippet.title')
  if (Buffer.byteLength(description) > maxDescriptionBytes || /[<>]/.test(description))
    throw invalid(
      'invalidDescription',
      'The request metadata specifies an invalid video description.',
      'snippet.description',
    )
  if (tags.some((tag) => tag === '' || /[<>]/.test(tag)) || lengthOfTags(tags) > maxTags)
    throw invalid('invalidTags', 'The request metadata specifies invalid video keywords.', 'snippet.tags')
  if (categoryId !== undefined && !categories.has(categoryId))
    throw invalid(
      'invalidCategoryId',
      'The snippet.categoryId property specifies an invalid category ID. Use the videoCategories.list method to retrieve supported categories.',
      'snippet.categoryId',
    )
  for (const value of [languages.defaultLanguage, languages.defaultAudioLanguage])
    if (value !== undefined && !language.test(value)) throw invalidMetadata()
}

export const invalidMetadata = () =>
  new GoogleError(400, 'The request metadata is invalid.', {
    reason: 'invalidVideoMetadata',
    domain: 'youtube.video',
    location: 'body',
    locationType: 'other',
  })

/** Commas between tags count, and quotation marks around those with a space. */
const lengthOfTags = (tags: readonly string[]): number =>
  tags.reduce((sum, tag) => sum + [...tag].length + (tag.includes(' ') ? 2 : 0), Math.max(tags.length - 1, 0))

/** What is stored of it. */
export function toInput({ snippet = {}, status = {}, recordingDetails, localizations }: VideoBody): VideoInput {
  const { title = '', description, tags, categoryId, defaultLanguage, defaultAudioLanguage } = snippet
  return {
    snippet: { title, description, tags, categoryId, defaultLanguage, defaultAudioLanguage },
    status: {
      privacyStatus: status.privacyStatus,
      embeddable: status.embeddable,
      license: status.license,
      publicStatsViewable: status.publicStatsViewable,
      publishAt: status.publishAt,
      selfDeclaredMadeForKids: status.selfDeclaredMadeForKids,
      containsSyntheticMedia: status.containsSyntheticMedia,
    },
    recordingDetails,
    localizations,
  }
}
