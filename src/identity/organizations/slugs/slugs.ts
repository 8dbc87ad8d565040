import type { Call } from '#lib/call.ts'
import { Slug } from '../../contract/fields.ts'
import { isSlugFree } from '../organizations.ts'
import { organizations } from '../../schema.ts'
import type { SlugAvailability, SlugSuggestion } from './contract.ts'
import { claimNumberedSlug } from './numbered.ts'
import { isReserved } from './reserved.ts'

/** Checks the form first, then reserved and taken slugs (IDN-43). */
export async function checkSlugAvailability({ db, ownNames }: Pick<Call, 'db' | 'ownNames'>, slug: string) {
  const answer = (reason: SlugAvailability['reason']) => ({ available: reason === 'available', slug, reason })
  if (slug === '') return answer('empty')
  if (!Slug.safeParse(slug).success) return answer('invalid')
  if (isReserved(slug, ownNames)) return answer('reserved')
  return answer((await isSlugFree(db, slug)) ? 'available' : 'taken')
}

export async function suggestSlug(call: Pick<Call, 'db' | 'ownNames'>, slug: string): Promise<SlugSuggestion> {
  const answer = await checkSlugAvailability(call, slug)
  const { reason } = answer
  if (reason !== 'taken' && reason !== 'reserved') return { ...answer, suggestion: null }
  const suggestion = await claimNumberedSlug(call.db, slug, {
    ownNames: call.ownNames,
    taken: [{ table: organizations, column: organizations.slug }],
    take: (candidate) => isSlugFree(call.db, candidate),
  })
  return { ...answer, suggestion }
}
