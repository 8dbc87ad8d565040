import { articleOf, pastTense, wordsOf } from './wording.ts'

export type LoggedFields = Readonly<Record<string, unknown>> | null

/** What an entry of the audit log says. */
export interface EntryFacts {
  /** The name of an operation or job, or the path of a page or webhook. */
  operation: string
  refused: boolean
  principalId: string | null
  object: { kind: string; id: string | null } | null
  before: LoggedFields
  after: LoggedFields
}

const longestName = 60

/** The known name of an entry’s object, else the first of these fields that was logged; null when there is none. */
export function nameObject(
  { before, after }: Pick<EntryFacts, 'before' | 'after'>,
  known: string | undefined,
  nameFields: readonly string[],
): string | null {
  const name = known ?? nameIn(after, nameFields) ?? nameIn(before, nameFields)
  return name === null ? null : shorten(name.replaceAll(/\s+/g, ' '))
}

const shorten = (name: string): string =>
  name.length > longestName ? `${name.slice(0, longestName).trimEnd()}…` : name

function nameIn(fields: LoggedFields, nameFields: readonly string[]): string | null {
  const found = nameFields.map((field) => fields?.[field]).find((value) => typeof value === 'string' && value !== '')
  return typeof found === 'string' ? found : null
}

/** The operation’s verb with the object, or with the operation’s own words. `nouns` are kinds of objects in words. */
export function describeOperation(
  { operation, refused, object }: EntryFacts,
  name: string | null,
  nouns: Readonly<Record<string, string>>,
): string {
  if (!/^[a-z][A-Za-z]*$/.test(operation)) return `Called ${operation}`
  const [verb = '', ...rest] = wordsOf(operation)
  const noun = object && nouns[object.kind]
  const what = noun ? titled(noun, name) : withArticle(rest.join(' '))
  return [refused ? `Tried to ${verb}` : pastTense(verb), what].filter(Boolean).join(' ')
}

export const titled = (noun: string, name: string | null): string => (name ? `${noun} “${name}”` : withArticle(noun))

const withArticle = (words: string): string =>
  words === '' || words.endsWith('s') || words === 'me' ? words : `${articleOf(words)} ${words}`
