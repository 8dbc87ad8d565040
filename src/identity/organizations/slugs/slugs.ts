import type { Call } from '#lib/call.ts'
import { Slug } from '../../contract/fields.ts'
import { isSlugFree } from '../organizations.ts'
import type { SlugAvailability } from './contract.ts'
import { isReserved } from './reserved.ts'

/** Checks the form first, then reserved and taken slugs (IDN-43). */
export async function checkSlugAvailability({ db, ownNames }: Pick<Call, 'db' | 'ownNames'>, slug: string) {
  const answer = (reason: SlugAvailability['reason']) => ({ available: reason === 'available', slug, reason })
  if (slug === '') return answer('empty')
  if (!Slug.safeParse(slug).success) return answer('invalid')
  if (isReserved(slug, ownNames)) return answer('reserved')
  return answer((await isSlugFree(db, slug)) ? 'available' : 'taken')
}
