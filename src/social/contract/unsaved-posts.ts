import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { plainText } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'
import { Provider } from './networks.ts'
import { PostMedia, VideoPrivacy } from './posts.ts'

const ChosenAccount = z.union([Id, z.string().regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\/\d{1,30}$/)])

/** The fields of the composer as a person left them: incomplete and invalid values are kept. */
export const UnsavedContent = z.object({
  texts: z.array(plainText(70_000)).min(1).max(95).describe('The text of the post, or of each post of a thread.'),
  ownTexts: z
    .array(z.object({ provider: Provider, texts: z.array(plainText(70_000)).min(1).max(95) }))
    .max(20)
    .optional()
    .describe('Texts of networks that get others than `texts`.'),
  connectionIds: z
    .array(ChosenAccount)
    .max(50)
    .describe('The chosen accounts; with `/` and its ID for a Group in one.'),
  media: z
    .array(PostMedia.extend({ part: z.int().min(0).max(94).optional().describe('The post of a thread, from 0.') }))
    .max(200),
  tags: plainText(4000),
  campaign: plainText(1000).optional(),
  firstComment: plainText(70_000).optional(),
  linkPreview: z
    .object({
      url: plainText(2000),
      title: plainText(1000),
      description: plainText(4000),
      imageUrl: plainText(2000).nullable(),
    })
    .nullable()
    .optional(),
  when: z
    .enum(['at', 'slot', 'now', 'none'])
    .describe('`at`: at the date and time. `slot`: in the next free queue slot. `none`: as a draft.'),
  date: plainText(20).describe('Empty, like `time`, while the schedule of the post isn’t edited.'),
  time: plainText(20),
  timeZone: plainText(100),
  youtube: z
    .object({ title: plainText(1000), privacy: VideoPrivacy, tags: plainText(4000), madeForKids: z.boolean() })
    .optional(),
})
export type UnsavedContent = z.output<typeof UnsavedContent>

/** What the caller typed into the composer and hasn't saved. Only they can see it. */
export const UnsavedPost = z.object({
  id: Id,
  brandId: Id,
  postId: Id.nullable().describe('The edited post; null for a new one.'),
  baseVersion: z.int().nullable().describe('The version of the post that the changes are based on.'),
  content: UnsavedContent,
  version: z.int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type UnsavedPost = z.output<typeof UnsavedPost>

export const ListedUnsavedPost = UnsavedPost.omit({ content: true }).extend({
  text: z.string().describe('The beginning of the text.'),
})
export type ListedUnsavedPost = z.output<typeof ListedUnsavedPost>

export const UnsavedPostList = listOf(ListedUnsavedPost)
export type UnsavedPostList = z.output<typeof UnsavedPostList>
