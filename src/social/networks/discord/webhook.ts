import { z } from 'zod'
import { invalid, Problem } from '#lib/errors.ts'
import { plainText } from '#lib/text.ts'
import { parseForm } from '../form.ts'
import type { Account, ConnectCall, ConnectedAccount, Metadata } from '../network.ts'

const api = 'https://discord.com/api/v10'
const hosts = ['discord.com', 'ptb.discord.com', 'canary.discord.com', 'discordapp.com']

export const Snowflake = z.string().regex(/^\d{1,20}$/)

const wrongUrl = 'Must be a webhook’s URL, such as https://discord.com/api/webhooks/…'

/** Only the ID and the token are used: requests go to Discord, whatever the host. */
const WebhookUrl = z
  .url(wrongUrl)
  .transform((text) => new URL(text))
  .refine(({ protocol, host }) => protocol === 'https:' && hosts.includes(host), wrongUrl)
  .transform(({ pathname }, context) => {
    const [, id = '', token = ''] = /^\/api(?:\/v\d+)?\/webhooks\/(\d{1,20})\/([\w-]{1,200})\/?$/.exec(pathname) ?? []
    if (id !== '') return { id, token }
    context.addIssue({ code: 'custom', message: wrongUrl })
    return z.NEVER
  })

const Form = z.object({ webhookUrl: z.string('Enter the webhook’s URL.').trim().pipe(WebhookUrl) })

/** Webhooks of apps and of followed channels publish nothing with a token. */
const incoming = 1

const Webhook = z.object({
  id: Snowflake,
  type: z.int(),
  name: plainText(200).nullish(),
  guild_id: Snowflake,
  channel_id: Snowflake,
})

/** The account is the channel, so that a new webhook for it reconnects the account. */
export async function signIn(form: unknown, { outside, signal }: ConnectCall): Promise<ConnectedAccount> {
  const { id, token } = parseForm(Form, form).webhookUrl
  const response = await outside.fetch(outside.at(`${api}/webhooks/${id}/${token}`), { signal }).catch((cause) => {
    throw new Problem(502, 'provider_unreachable', 'Discord couldn’t be reached. Try again in a moment.', { cause })
  })
  if ([401, 403, 404].includes(response.status))
    throw refuse('Discord doesn’t know this webhook. Copy its URL again, or create a new one.')
  const webhook = Webhook.safeParse(response.ok ? await response.json().catch(() => null) : null)
  if (!webhook.success)
    throw new Problem(502, 'provider_error', `Discord responded with ${response.status}. Try again in a moment.`)
  const { type, name, guild_id: guildId, channel_id: channelId } = webhook.data
  if (type !== incoming) throw refuse('This webhook can’t publish messages. Create one in the settings of the channel.')
  return {
    externalId: channelId,
    name: name || 'Discord webhook',
    metadata: { webhookId: id, guildId },
    tokens: { token },
    scopes: [],
  }
}

const refuse = (message: string): Problem => invalid([{ path: 'webhookUrl', message }])

const Stored = z.object({ webhookId: Snowflake, guildId: Snowflake })
const Tokens = z.object({ token: z.string() })

export const parseMetadata = (metadata: Metadata): z.output<typeof Stored> => Stored.parse(metadata)

export function webhookUrl({ metadata, tokens }: Account, path = ''): string {
  const { webhookId } = parseMetadata(metadata)
  return `${api}/webhooks/${webhookId}/${Tokens.parse(tokens).token}${path}`
}
