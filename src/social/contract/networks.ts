import { z } from 'zod'
import { ImageType, VideoType } from './media.ts'

/** All networks (SOC-06, SOC-08). */
export const providers = [
  'sandbox',
  'x',
  'linkedin',
  'linkedin-page',
  'facebook',
  'instagram',
  'threads',
  'youtube',
  'tiktok',
  'bluesky',
  'mastodon',
  'discord',
] as const
export const Provider = z.enum(providers, 'Must be the name of a supported network.')
export type Provider = z.infer<typeof Provider>

/** On which Atrium writes first comments. */
export const providersWithComments: readonly Provider[] = [
  'sandbox',
  'linkedin',
  'linkedin-page',
  'facebook',
  'instagram',
  'youtube',
]

/** Graphemes are what a reader counts. X weighs code points, and Threads counts the bytes of emoji. */
const Counting = z.enum(['graphemes', 'code_points', 'utf16', 'weighted', 'emoji_bytes', 'bytes'])
export type Counting = z.output<typeof Counting>

/** What a network accepts from an account. */
export const PostLimits = z.object({
  characters: z.int(),
  media: z.int(),
  title: z.int().nullable().describe('Characters of the title of a video. Null without titles.'),
  videoTags: z
    .int()
    .nullable()
    .describe(
      'Characters of the tags of a video together, with the commas between them and quotation marks around those with a space. Null without tags.',
    ),
  refusedCharacters: z.string().nullable().describe('Characters that a text can’t contain.'),
  replies: z
    .object({ characters: z.int(), media: z.int() })
    .nullable()
    .describe('What later posts of a thread can have. Null when the network has no threads.'),
  firstComment: z
    .object({
      characters: z.int(),
      counting: Counting.optional().describe('How its characters are counted; like those of the text when not set.'),
    })
    .nullable()
    .describe('What a first comment can have. Null when Atrium can’t write any there.'),
  linkPreview: z
    .enum(['card', 'page'])
    .nullable()
    .describe(
      '`card`: shown as it is sent. `page`: the network reads the page at the URL. Null when posts can’t have one there.',
    ),
  urlCharacters: z.int().nullable().describe('How many characters each URL counts as; null if its own length counts.'),
  counting: Counting.describe('How the network counts the characters of a text.'),
  images: z
    .object({ types: z.array(ImageType), bytes: z.int() })
    .nullable()
    .describe('Null when unknown.'),
  videos: z
    .object({
      types: z.array(VideoType),
      codecs: z.array(z.string()),
      bytes: z.int(),
      minDurationMs: z.int(),
      durationMs: z.int(),
      mixed: z.boolean().describe('Whether a post can have other files beside a video.'),
    })
    .nullable()
    .describe('Null when posts with videos can’t be published there.'),
  documents: z
    .object({ bytes: z.int(), pages: z.int() })
    .nullable()
    .describe('PDFs, one per post. Null when posts with documents can’t be published there.'),
  singleAnimation: z.boolean().describe('Whether an animated GIF can only be the only file of a post.'),
})
export type PostLimits = z.output<typeof PostLimits>
