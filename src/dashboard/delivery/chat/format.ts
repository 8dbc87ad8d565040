import { publicUrlOfJob } from '#lib/public-url.ts'
import { truncate } from '#lib/text.ts'
import type { chatFormats, notifications } from '../../schema.ts'

export type ChatFormat = (typeof chatFormats)[number]

export interface ChatItem {
  title: string
  reason: string
  href: string
  at: Date
}

/** Items of one message: the most embeds that Discord takes. */
export const maxItems = 10
const maxTitle = 200
/** Escaped, and ten of them with their titles, within the 6,000 characters of Discord’s embeds. */
const maxReason = 180

/** `/api/webhooks/<id>/<token>` is Discord’s; with `/slack` behind it, it takes messages for Slack. */
export const formatOf = ({ pathname }: URL): ChatFormat =>
  /^\/api\/(v\d+\/)?webhooks\/[^/]+\/[^/]+\/?$/.test(pathname) ? 'discord' : 'slack'

/** Of the URL, so that people recognize it: without its end it posts nowhere. */
export const hintOf = ({ host, pathname }: URL): string => `${host}/…${pathname.replace(/\/$/, '').slice(-4)}`

export const itemOf = (
  config: Parameters<typeof publicUrlOfJob>[1],
  { id, title, reason, href, raisedAt }: typeof notifications.$inferSelect,
): ChatItem => ({
  title: truncate(title, maxTitle),
  reason: truncate(reason, maxReason),
  // What programs posted could lead anywhere.
  href: publicUrlOfJob(href.startsWith('/') ? href : `/actions#action-${id}`, config),
  at: raisedAt,
})

export const bodyOf = (format: ChatFormat, items: readonly ChatItem[]): object =>
  format === 'discord' ? discordBody(items) : slackBody(items)

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Without mentions and markup. */
const plain = (text: string): string =>
  text
    .replaceAll(/[&<>]/g, (character) => escapes[character] ?? '')
    .replaceAll('@', '@\u200B')
    .replaceAll(/[*_~`]/g, '\u200B$&')

/** Mattermost ignores `blocks`, so `text` has everything too. */
function slackBody(items: readonly ChatItem[]): object {
  const texts = items.map(
    ({ title, reason, href }) =>
      `*<${href.replaceAll('>', '%3E').replaceAll('|', '%7C')}|${plain(title)}>*\n${plain(reason)}`,
  )
  return {
    text: texts.join('\n\n'),
    blocks: texts.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text } })),
  }
}

const discordPlain = (text: string): string => text.replaceAll(/[\\*_~`|>#[\]()]/g, '\\$&')

function discordBody(items: readonly ChatItem[]): object {
  const [first] = items
  return {
    content: items.length === 1 && first ? discordPlain(first.title) : `${items.length} notifications`,
    embeds: items.map(({ title, reason, href, at }) => ({
      title,
      description: discordPlain(reason),
      url: href,
      timestamp: at.toISOString(),
    })),
    // No text mentions a person or a channel.
    allowed_mentions: { parse: [] },
  }
}
