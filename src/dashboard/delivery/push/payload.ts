import { truncate } from '#lib/text.ts'
import type { Claimed } from '../claim.ts'

/** What the service worker shows. */
interface Payload {
  title: string
  body: string
  href: string
  /** A message with the same one replaces the one before, also when it is sent twice. */
  tag: string
}

/** More due at once become one message. */
const maxSingle = 3
const maxTitles = 4
const maxTitle = 120
const maxBody = 400

export interface Message {
  payload: Payload
  deliveries: Claimed[]
}

/** Far below the 3,993 bytes that fit into a message (RFC 8291), whatever the texts are. */
export function messagesOf(claimed: Claimed[]): Message[] {
  const [first] = claimed
  if (!first || claimed.length <= maxSingle)
    return claimed.map((delivery) => ({ payload: payloadOf(delivery), deliveries: [delivery] }))
  const titles = claimed.slice(0, maxTitles).map(({ notification }) => truncate(notification.title, maxTitle))
  return [
    {
      payload: {
        title: `${claimed.length} new notifications`,
        body: truncate(titles.join('\n'), maxBody),
        href: '/actions',
        tag: `atrium-${first.notification.id}`,
      },
      deliveries: claimed,
    },
  ]
}

const payloadOf = ({ notification: { id, title, reason, href } }: Claimed): Payload => ({
  title: truncate(title, maxTitle),
  body: truncate(reason, maxBody),
  // What programs posted could lead anywhere.
  href: href.startsWith('/') && href.length <= 500 ? href : `/actions#action-${id}`,
  tag: `atrium-${id}`,
})
