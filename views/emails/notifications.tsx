import { truncate } from '#lib/text.ts'
import { letter } from './letter.tsx'
import { mailName } from './name.ts'

interface Item {
  title: string
  reason: string
  href: string
}

interface News {
  organization: string
  items: Item[]
  /** The page with all of them. */
  all: string
  settings: string
  unsubscribe: string
}

/** Of a long list, so that the email isn’t cut off by mail programs. */
const maxShown = 25
const maxReason = 300

export function notificationsLetter({ organization: name, items, all, settings, unsubscribe }: News) {
  const organization = mailName(name)
  const notes = [
    `You get this email because of your notification settings in ${organization}: ${settings}`,
    `Unsubscribe from these emails: ${unsubscribe}`,
  ]
  const [only] = items
  if (only && items.length === 1)
    return {
      ...letter({
        subject: `${only.title} · ${organization}`,
        paragraphs: [only.title, only.reason],
        action: { label: 'Open in Atrium', href: only.href },
        notes,
      }),
      unsubscribe,
    }
  const rest = items.length - maxShown
  return {
    ...letter({
      subject: `${items.length} notifications in ${organization}`,
      paragraphs: [`This happened in ${organization}:`],
      items: items.slice(0, maxShown).map((item) => ({ ...item, reason: truncate(item.reason, maxReason) })),
      action: { label: rest > 0 ? `See all, also ${rest} more` : 'See all', href: all },
      notes,
    }),
    unsubscribe,
  }
}
