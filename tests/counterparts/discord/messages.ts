import type { ZodType } from 'zod'
import { parse, parseJson, Refusal, type Call, type SentFile } from '../wire/call.ts'
import { emptyMessage, invalidForm, tooLarge, type Edit, type Execute } from './format.ts'

export interface Attachment {
  id: string
  filename: string
  type: string
  description: string | null
  bytes: Uint8Array
}

/** A message as readers of the channel see it. */
export interface Message {
  id: string
  channel: string
  webhook: string
  username: string
  avatar: string | null
  content: string
  embeds: NonNullable<Execute['embeds']>
  attachments: Attachment[]
  flags: number
  createdAt: string
  editedAt: string | null
}

export interface Webhook {
  id: string
  token: string
  name: string
  guild: string
  channel: string
  isForum: boolean
  threads: Set<string>
}

export const limits = { content: 2000, files: 10, fileBytes: 10 * 1024 * 1024 }

/** The body as JSON, or the `payload_json` of a multipart body beside its files. */
export async function readBody<T extends Edit>(
  call: Call,
  schema: ZodType<T>,
): Promise<{ body: T; files: Map<string, SentFile> }> {
  if (call.type === 'application/json') return { body: call.json(schema), files: new Map() }
  const { fields, files } = await call.multipart()
  const { payload_json, ...rest } = fields
  const [strange] = Object.keys(rest)
  if (strange) throw new Refusal(invalidForm(strange, 'BASE_TYPE_BAD_VALUE', 'Unknown field'))
  const found = new Map<string, SentFile>()
  for (const [field, file] of Object.entries(files)) {
    const number = /^files\[(\d+)\]$/.exec(field)?.[1]
    if (number === undefined) throw new Refusal(invalidForm(field, 'BASE_TYPE_BAD_VALUE', 'Must be files[n]'))
    if (file.bytes.length > limits.fileBytes) throw new Refusal(tooLarge())
    found.set(number, file)
  }
  if (found.size > limits.files) throw new Refusal(invalidForm('files', 'BASE_TYPE_MAX_LENGTH', 'At most 10 files'))
  return { body: parse(schema, payload_json === undefined ? {} : parseJson(payload_json)), files: found }
}

/** Refuses text that is too long, and a message without anything. */
export function checkContent({ content, embeds }: Edit, attachments: number): void {
  if ((content ?? '').length > limits.content)
    throw new Refusal(invalidForm('content', 'BASE_TYPE_MAX_LENGTH', `Must be ${limits.content} or fewer in length.`))
  if (!content?.trim() && !embeds?.length && attachments === 0) throw new Refusal(emptyMessage())
}

/** The new files with their descriptions, after the old ones that the list keeps. */
export function attach(
  { attachments: listed }: Edit,
  files: Map<string, SentFile>,
  nextId: () => string,
  old: Attachment[] = [],
): Attachment[] {
  const kept = listed ? old.filter(({ id }) => listed.some((each) => String(each.id) === id)) : old
  for (const { id } of listed ?? [])
    if (!files.has(String(id)) && !old.some((each) => each.id === String(id)))
      throw new Refusal(invalidForm('attachments', 'ATTACHMENT_NOT_FOUND', `No file has the id ${id}`))
  const added = [...files].map(([number, file]) => {
    const meta = listed?.find(({ id }) => String(id) === number)
    return {
      id: nextId(),
      filename: meta?.filename ?? file.name,
      type: file.type,
      description: meta?.description ?? null,
      bytes: file.bytes,
    }
  })
  return [...kept, ...added]
}

/** The message object of the API. */
export const shown = (message: Message, { id, guild }: Webhook) => ({
  id: message.id,
  type: 0,
  content: message.content,
  channel_id: message.channel,
  author: { id, bot: true, username: message.username, avatar: message.avatar, discriminator: '0000' },
  attachments: message.attachments.map((file) => ({
    id: file.id,
    filename: file.filename,
    size: file.bytes.length,
    content_type: file.type,
    ...(file.description !== null && { description: file.description }),
    url: `https://cdn.discordapp.com/attachments/${message.channel}/${file.id}/${file.filename}`,
    proxy_url: `https://media.discordapp.net/attachments/${message.channel}/${file.id}/${file.filename}`,
  })),
  embeds: message.embeds,
  mentions: [],
  mention_roles: [],
  pinned: false,
  mention_everyone: false,
  tts: false,
  timestamp: message.createdAt,
  edited_timestamp: message.editedAt,
  flags: message.flags,
  components: [],
  webhook_id: id,
  guild_id: guild,
})
