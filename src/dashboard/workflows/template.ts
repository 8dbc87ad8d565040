import { sanitizeText, truncate } from '#lib/text.ts'
import { valueOf, type EventData } from './triggers/event-fields.ts'

const placeholder = /\{\{([^{}]*)\}\}/g

/** Why a text can't be used with these fields; null when it can. */
export function templateProblem(text: string, fields: readonly string[]): string | null {
  for (const [whole, name = ''] of text.matchAll(placeholder)) {
    const [, field] = name.trim().split(/^data\./)
    if (field === undefined || !fields.includes(field))
      return `Unknown field ${whole}. ${fields.length > 0 ? `Use one of: ${fields.map((each) => `{{data.${each}}}`).join(', ')}.` : 'The trigger has no fields.'}`
  }
  return null
}

const fill = (text: string, toText: (field: string) => string): string =>
  text.replaceAll(placeholder, (_, name: string) => toText(name.trim().replace(/^data\./, '')))

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

/** On one line, since values of an event can have several. */
export const fillLine = (text: string, data: EventData, maxLength: number): string =>
  fillText(text, data, maxLength).replaceAll(/\p{Cc}+/gu, ' ')

export const fillText = (text: string, data: EventData, maxLength: number): string =>
  truncate(sanitizeText(fill(text, (field) => textOf(valueOf(data, field)))), maxLength)

/** Values are encoded, so that they can't lead elsewhere. */
export const fillHref = (href: string, data: EventData): string =>
  fill(href, (field) => encodeURIComponent(textOf(valueOf(data, field)).toWellFormed()))

/** A link whose host doesn't depend on the event. */
export function hasFixedHost(href: string): boolean {
  const [one, other] = ['a', 'b'].map((value) =>
    URL.parse(
      fill(href, () => value),
      'https://here.invalid',
    ),
  )
  return one !== null && one?.origin === other?.origin
}
