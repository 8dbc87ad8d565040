import { z } from 'zod'
import { truncate } from '#lib/text.ts'
import { checkBy, works } from '../account-check.ts'
import { classifyFailure, readUsedUpWindow } from '../http.ts'
import { countCodePoints } from '../limits.ts'
import { createMultipart } from '../multipart.ts'
import type {
  AccountCheck,
  Network,
  NetworkCall,
  OutgoingMedia,
  PublishCall,
  PublishOutcome,
  ReadBack,
  Removal,
  RemoveCall,
} from '../network.ts'
import { corrections } from './corrections.ts'
import { interpretRefusal, isMessageMissing } from './refusal.ts'
import { parseMetadata, signIn, Snowflake, webhookUrl } from './webhook.ts'

/** Of a file, in a server without boosts. */
const fileBytes = 10 * 1024 * 1024

/** Messages by the webhook of a channel, which can neither read the channel nor reply. */
export const discord: Network = {
  provider: 'discord',
  name: 'Discord',
  note: 'Connect a channel with its webhook.',
  limits: {
    characters: 2000,
    counting: 'code_points',
    media: 10,
    images: { bytes: fileBytes, types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] },
    // Those that its readers can play in a message, however long.
    videos: {
      types: ['video/mp4', 'video/quicktime', 'video/webm'],
      codecs: ['h264', 'vp8', 'vp9', 'av1'],
      bytes: fileBytes,
      durationMs: 24 * 60 * 60_000,
      mixed: true,
    },
  },
  retrySafety: 'never',
  connect: { by: 'form', signIn },
  count: countCodePoints,
  postIdOf: (permalink) =>
    /^https:\/\/(?:\w+\.)?discord(?:app)?\.com\/channels\/\d+\/\d+\/(\d{1,20})$/.exec(permalink)?.[1] ?? null,
  publish,
  readBack,
  remove,
  corrections,
  checkAccount,
}

function checkAccount({ account, outside, signal }: NetworkCall): Promise<AccountCheck> {
  return checkBy({
    ask: () => outside.fetch(outside.at(webhookUrl(account)), { signal }),
    interpretRefusal,
    data: z.unknown(),
    read: () => works,
  })
}

const maxAltCharacters = 1024

const Message = z.object({ id: Snowflake, channel_id: Snowflake })

async function publish(call: PublishCall): Promise<PublishOutcome> {
  const { account, outside, signal } = call
  try {
    const response = await outside.fetch(outside.at(webhookUrl(account, '?wait=true')), {
      method: 'POST',
      ...createBody(call),
      signal,
    })
    if (!response.ok) return await interpretRefusal(response)
    const { id, channel_id: channelId } = Message.parse(await response.json())
    const { guildId } = parseMetadata(account.metadata)
    const permalink = `https://discord.com/channels/${guildId}/${channelId}/${id}`
    return { kind: 'published', platformPostId: id, permalink, ...readUsedUpWindow(response.headers) }
  } catch (error) {
    return classifyFailure('Discord', error)
  }
}

/** Mentions notify no one: a post is not written to `@everyone`. */
function createBody({ text, media }: PublishCall) {
  const attachments = media.map(({ alt }, id) => ({ id, description: truncate(alt, maxAltCharacters) }))
  const message = { content: text, allowed_mentions: { parse: [] }, ...(media.length > 0 && { attachments }) }
  if (media.length === 0) return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(message) }
  const files = media.map((file, at) => ({ field: `files[${at}]`, name: nameOf(file, at), media: file }))
  return createMultipart({ payload_json: JSON.stringify(message) }, files)
}

function nameOf({ contentType }: OutgoingMedia, at: number): string {
  const [kind = '', format = ''] = contentType.split('/')
  return `${kind}-${at + 1}.${extensions[format] ?? format}`
}

const extensions: Readonly<Record<string, string>> = { jpeg: 'jpg', quicktime: 'mov' }

async function readBack(): Promise<ReadBack> {
  return { kind: 'unreadable', message: 'Discord doesn’t let a webhook read its channel.', final: true }
}

async function remove({ account, outside, signal, platformPostId }: RemoveCall): Promise<Removal> {
  if (isFromAnotherWebhook(account.metadata, platformPostId))
    return {
      kind: 'refused',
      code: 'provider_refused',
      message: 'An earlier webhook of the channel published this message. Delete it in Discord.',
      transient: false,
    }
  try {
    const address = webhookUrl(account, `/messages/${encodeURIComponent(platformPostId)}`)
    const response = await outside.fetch(outside.at(address), { method: 'DELETE', signal })
    return response.ok || (await isMessageMissing(response)) ? { kind: 'removed' } : await interpretRefusal(response)
  } catch (error) {
    return classifyFailure('Discord', error)
  }
}

/** IDs grow with time, and a webhook deletes only its own messages. */
const isFromAnotherWebhook = (metadata: PublishCall['account']['metadata'], messageId: string): boolean =>
  BigInt(messageId) < BigInt(parseMetadata(metadata).webhookId)
