import { fits, found, searchSource, type Found } from '#lib/search.ts'
import type { Colleague } from './contract.ts'
import { presentedBy } from './credential.ts'

/** Limit of results. */
const maxResults = 3

/** Finds the people of the organization, by their name or by the beginning of their address. */
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

/** The domain alone is not enough: it often is the name of a company or a brand, and then everyone has it. */
const matches = ({ name, email }: Colleague, words: string): boolean =>
  fits(words, name) || email.toLowerCase().startsWith(words.toLowerCase())

const resultOf = ({ id, name, email }: Colleague): Found<'person'> => ({
  ...found('person', name, `/settings/members#member-${id}`),
  id,
  detail: email,
})
