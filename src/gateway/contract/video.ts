import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'

export const VideoPrivacy = z.enum(['private', 'unlisted', 'public'])

export const VideoChannel = z.object({
  id: z.string(),
  title: z.string(),
  handle: z.string().nullable().describe('With its @.'),
  description: z.string(),
  thumbnailUrl: z.string().nullable(),
  url: z.string(),
  subscriberCount: z.int().nullable().describe('Null when the channel hides it.'),
  videoCount: z.int().nullable(),
})
export type VideoChannel = z.output<typeof VideoChannel>

export const VideoDescription = z.object({ id: z.string(), title: z.string(), description: z.string() })
export type VideoDescription = z.output<typeof VideoDescription>

const uploadStates = ['uploading', 'finishing', 'completed'] as const
export type UploadState = (typeof uploadStates)[number]

export const VideoUpload = z.object({
  id: Id,
  state: z
    .enum(uploadStates)
    .describe('`finishing`: every byte was sent, and the provider hasn’t confirmed it. Get the upload to find out.'),
  uploadUrl: z.string().describe('Where the bytes are sent to with PUT, in one request or several.'),
  received: z.int().describe('Bytes that the provider has. Continue with `offset` set to it.'),
  length: z.int(),
  isReceiving: z.boolean().describe('Whether a request is sending bytes at the moment.'),
  video: z
    .object({
      id: z.string(),
      url: z.string(),
      privacy: VideoPrivacy.nullable().describe('As the provider decided: videos of unaudited projects are private.'),
    })
    .nullable(),
  createdAt: Timestamp,
  expiresAt: Timestamp.describe('When the provider forgets an incomplete upload at the latest.'),
})
export type VideoUpload = z.output<typeof VideoUpload>

/** A video of the user’s channel. */
const ChannelVideo = z.object({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  description: z.string(),
  publishedAt: z.string(),
})
export const ChannelVideoList = listOf(ChannelVideo)

export const ChannelVideoState = z.object({
  id: z.string(),
  state: z
    .enum(['uploaded', 'processed', 'failed', 'rejected', 'deleted'])
    .describe('`uploaded`: YouTube is still processing it.'),
  reason: z.string().nullable().describe('Why YouTube doesn’t show it, in its own terms, such as `codec`.'),
  privacy: VideoPrivacy.nullable(),
})
export type ChannelVideoState = z.output<typeof ChannelVideoState>

export const quotaBuckets = ['videos.insert', 'search.list', 'videos.batchGetStats', 'other'] as const
export const QuotaBucket = z.enum(quotaBuckets)
export type QuotaBucket = z.output<typeof QuotaBucket>

export const GoogleProject = z
  .string()
  .regex(/^\d{3,20}$/, 'Must be the number of a Google project, such as 123456789012.')

export const VideoQuotaBucket = z.object({
  project: GoogleProject.describe('The number of the Google project, from the OAuth client ID.'),
  level: z.enum(['organization', 'platform', 'practice']).describe('Whose OAuth client it is.'),
  bucket: QuotaBucket.describe('`other` is shared by all methods without a bucket of their own.'),
  used: z.int().describe('Units, by all organizations that use the project.'),
  ownUsed: z.int().describe('Units of this organization.'),
  limit: z.int().describe('Units a day.'),
  exhausted: z.boolean().describe('Whether calls are refused until `resetsAt`.'),
  forecast: z.int().describe('Units that will be used at the end of the day at the present pace.'),
  resetsAt: Timestamp,
})
export type VideoQuotaBucket = z.output<typeof VideoQuotaBucket>

export const VideoQuota = z.object({
  day: z.iso.date().describe('In the Pacific time zone, where quotas reset at midnight.'),
  resetsAt: Timestamp,
  buckets: z.array(VideoQuotaBucket),
})
export type VideoQuota = z.output<typeof VideoQuota>
/** With dates, before it is sent. */
export type CurrentVideoQuota = z.input<typeof VideoQuota>

export const VideoQuotaLimit = z.object({
  project: GoogleProject,
  bucket: QuotaBucket,
  limit: z.int().describe('Units a day from now on.'),
  isDefault: z.boolean(),
})
