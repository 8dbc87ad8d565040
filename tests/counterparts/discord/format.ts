import { z } from 'zod'
import type { Invalid } from '../wire/call.ts'

const color = z.int().min(0).max(0xffffff)
const url = z.url()
const embed = z.strictObject({
  title: z.string().max(256).optional(),
  type: z.literal('rich').optional(),
  description: z.string().max(4096).optional(),
  url: url.optional(),
  timestamp: z.iso.datetime({ offset: true }).optional(),
  color: color.optional(),
  footer: z.strictObject({ text: z.string().max(2048), icon_url: z.string().optional() }).optional(),
  image: z.strictObject({ url: z.string() }).optional(),
  thumbnail: z.strictObject({ url: z.string() }).optional(),
  author: z
    .strictObject({ name: z.string().max(256), url: url.optional(), icon_url: z.string().optional() })
    .optional(),
  fields: z
    .array(z.strictObject({ name: z.string().max(256), value: z.string().max(1024), inline: z.boolean().optional() }))
    .max(25)
    .optional(),
})
const mentions = z.strictObject({
  parse: z.array(z.enum(['roles', 'users', 'everyone'])).optional(),
  roles: z.array(z.string()).max(100).optional(),
  users: z.array(z.string()).max(100).optional(),
  replied_user: z.boolean().optional(),
})
const attachment = z.strictObject({
  id: z.union([z.string().regex(/^\d+$/), z.int()]),
  filename: z.string().optional(),
  title: z.string().max(1024).optional(),
  description: z.string().max(1024).optional(),
})

/** What an edit can have. */
export const Edit = z.strictObject({
  content: z.string().nullish(),
  embeds: z.array(embed).max(10).nullish(),
  allowed_mentions: mentions.nullish(),
  attachments: z.array(attachment).max(10).nullish(),
  flags: z.int().nullish(),
})
export type Edit = z.infer<typeof Edit>

/** What an execution can have. Components and polls are left out: they are refused. */
export const Execute = Edit.extend({
  username: z.string().min(1).max(80).optional(),
  avatar_url: url.optional(),
  tts: z.boolean().optional(),
  thread_name: z.string().min(1).max(100).optional(),
  applied_tags: z.array(z.string()).max(5).optional(),
})
export type Execute = z.infer<typeof Execute>

const flag = z.enum(['true', 'false'])
const thread_id = z.string().regex(/^\d{17,20}$/)
export const ExecuteQuery = z.strictObject({
  wait: flag.optional(),
  thread_id: thread_id.optional(),
  with_components: flag.optional(),
})
export const MessageQuery = z.strictObject({ thread_id: thread_id.optional(), with_components: flag.optional() })

const refuse = (status: number, code: number, message: string, more = {}): Response =>
  Response.json({ message, code, ...more }, { status })

export const unknownWebhook = () => refuse(404, 10_015, 'Unknown Webhook')
export const unknownMessage = () => refuse(404, 10_008, 'Unknown Message')
export const unknownChannel = () => refuse(404, 10_003, 'Unknown Channel')
export const invalidToken = () => refuse(401, 50_027, 'Invalid Webhook Token')
export const emptyMessage = () => refuse(400, 50_006, 'Cannot send an empty message')
export const tooLarge = () => refuse(413, 40_005, 'Request entity too large')
export const threadMissing = () =>
  refuse(400, 220_001, 'Webhooks posted to forum channels must have a thread_name or thread_id')
export const threadUnwanted = () => refuse(400, 220_003, 'Webhooks can only create threads in forum channels')

/** 400 with the faults of one field. */
export function invalidForm(field: string, code: string, message: string): Response {
  const errors = field.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), {
    _errors: [{ code, message }],
  })
  return refuse(400, 50_035, 'Invalid Form Body', { errors })
}

export const invalid = ({ reason, field, message }: Invalid): Response =>
  field === 'body' && reason === 'type'
    ? refuse(400, 50_109, 'The request body contains invalid JSON.')
    : invalidForm(field, reason === 'missing' ? 'BASE_TYPE_REQUIRED' : 'BASE_TYPE_BAD_VALUE', message)
