import { matchesQuery, searchResult, searchSource, type SearchResult } from '#lib/search.ts'
import type { Colleague } from './contract.ts'
import { presentedBy } from './tokens/credential.ts'

const maxResults = 3

export const search = searchSource({
  kinds: { person: { title: 'People', icon: 'user', avatar: 'round' } },
  find: async ({ actor, identity, request }, words) => {
    if (!actor.organization) return []
    const people = await identity.colleagues(presentedBy(request), actor.organization.id, words)
    return people
      .filter((person) => matches(person, words))
      .slice(0, maxResults)
      .map(resultOf)
  },
})

/** The domain alone is no match: it is often the company's name, which everyone has. */
const matches = ({ name, email }: Colleague, words: string): boolean =>
  matchesQuery(words, name) || email.toLowerCase().startsWith(words.toLowerCase())

const resultOf = ({ id, name, email }: Colleague): SearchResult<'person'> => ({
  ...searchResult('person', name, `/settings/members#member-${id}`),
  id,
  detail: email,
})
