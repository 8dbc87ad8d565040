import { presentedBy } from '#identity'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { invalid, nullFor404, nullIfHidden } from '#lib/errors.ts'
import { memberCan } from '../access.ts'
import type { MentionSuggestion } from '../contract.ts'

type MentionCall = Call<unknown, Actor>

/** Of one comment. */
const maxMentions = 10

/**
 * The members that a comment mentions: those of `ids`, and those whose name follows an @ in the text.
 * @throws {Problem} 422 for an ID of a person who can’t read the brand, 503 as identity does
 */
export async function findMentioned(
  call: MentionCall,
  { text, ids, brandId }: { text: string; ids: readonly string[]; brandId: string },
): Promise<string[]> {
  const found = new Set<string>()
  for (const [at, id] of ids.entries()) {
    if (!(await canRead(call, id, brandId)))
      throw invalid([{ path: `mentions.${at}`, message: 'This person isn’t a member who can see the brand.' }])
    found.add(id)
  }
  for (const name of namesIn(text)) {
    const id = await findByName(call, name)
    if (id && !found.has(id) && (await canRead(call, id, brandId))) found.add(id)
  }
  return [...found].slice(0, maxMentions)
}

/** Such as `ben` in “Please check the price @ben”. */
const namesIn = (text: string): string[] =>
  [
    ...new Set(
      [...text.matchAll(/(?<![\p{L}\p{N}_.@])@([\p{L}\p{N}][\p{L}\p{N}._-]{0,60})/gu)].map((match) => fold(match[1])),
    ),
  ]
    .filter((name) => name !== '')
    .slice(0, maxMentions)

const fold = (name = ''): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[._-]+$/, '')

const maxSuggestions = 8
/** People of one page, as identity finds them. */
const maxFound = 20

/**
 * The members who can read the brand and whose name begins so, with what mentions them in a text.
 * @throws {Problem} 503 as identity does
 */
export async function suggestMentions(
  call: MentionCall,
  { prefix, brandId }: { prefix: string; brandId: string },
): Promise<MentionSuggestion[]> {
  const start = compact(prefix)
  const people = await findPeople(call, prefix.replace(/^@/, ''))
  const firstNames = Map.groupBy(people, ({ name }) => compact(wordsOf(name)[0]))
  const suggested: MentionSuggestion[] = []
  for (const { id: userId, name } of people) {
    if (suggested.length === maxSuggestions) break
    const [first = '', ...others] = wordsOf(name)
    const isMatching = [name, ...others].some((word) => compact(word).startsWith(start))
    if (!isMatching || !(await canRead(call, userId, brandId))) continue
    const isAlone = people.length < maxFound && firstNames.get(compact(first))?.length === 1
    suggested.push({ userId, name, text: `@${isAlone ? first : [first, ...others].join('.')}` })
  }
  return suggested
}

const wordsOf = (name: string): string[] => name.split(/\s+/).filter((word) => word !== '')

/** Compares names as they are mentioned: `@ben.carter` is Ben Carter. */
const compact = (name = ''): string => fold(name).replaceAll(/[._@-]|\s/g, '')

async function findPeople(call: MentionCall, text: string) {
  const organizationId = call.actor.organization?.id
  if (!organizationId) return []
  return (
    (await call.identity.colleagues(presentedBy(call.request), organizationId, firstOf(text)).catch(nullIfHidden)) ?? []
  )
}

/** Of `ben.carter`: identity finds people by words of their names. */
const firstOf = (text: string): string => text.split(/[._-]/)[0] ?? ''

/** Whose first name or whole name it is. Null when several people have it: then no one is meant for sure. */
async function findByName(call: MentionCall, name: string): Promise<string | null> {
  const people = await findPeople(call, name)
  const matching = people.filter((person) =>
    [wordsOf(person.name)[0], person.name].some((one) => compact(one) === compact(name)),
  )
  return matching.length === 1 ? (matching[0]?.id ?? null) : null
}

async function canRead({ actor, identity }: MentionCall, userId: string, brandId: string): Promise<boolean> {
  const name = `${await identity.serviceId('platform-socialize')}.posts:read`
  const member = await identity.memberActor(actor.organization?.id ?? '', userId).catch(nullFor404)
  return member !== null && memberCan(member, name, brandId)
}
