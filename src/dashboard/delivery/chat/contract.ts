import { z } from 'zod'
import { Flag, plainText } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'

const url = plainText(1000).trim().min(1, 'Required.')

export const ChatKindChoice = z.object({
  kind: z.string(),
  group: z.string(),
  title: z.string(),
  enabled: z.boolean(),
})
export type ChatKindChoice = z.output<typeof ChatKindChoice>

export const ChatWebhook = z.object({
  webhook: z
    .object({
      format: z.enum(['slack', 'discord']).describe('`slack` is also understood by Mattermost and others.'),
      hint: z.string().describe('The host of its URL, and the end. The URL isn’t shown again.'),
      enabled: z.boolean(),
      failingSince: Timestamp.nullable(),
      problem: z.string().nullable().describe('Why the last attempt failed.'),
      lastDeliveredAt: Timestamp.nullable(),
    })
    .nullable()
    .describe('Null while no chat is connected.'),
  kinds: z.array(ChatKindChoice).describe('What is posted to the channel.'),
  can: z.object({ update: z.boolean() }).describe('What you can do.'),
})
export type ChatWebhook = z.output<typeof ChatWebhook>

export const ChatWebhookEdit = z.object({
  url: url.optional().describe('Of an incoming webhook of Slack, Mattermost or Discord. Required to connect.'),
  enabled: Flag.optional(),
  choices: z
    .array(z.object({ kind: plainText(100), enabled: Flag.default(false) }))
    .max(300)
    .optional()
    .describe('Only those that change.'),
})
export type ChatWebhookEdit = z.output<typeof ChatWebhookEdit>

export const ChatTest = z.object({ url: url.optional().describe('By default, the URL that is connected.') })
