import type { SearchCommand, SearchCommands, SearchCall } from '#lib/search.ts'
import { accountName, networkNames } from '#views/social/posts/post-text.ts'
import { readPermissions } from '../access.ts'
import { listForBrands } from '../accounts/connections.ts'
import { list as listBrands } from '../brands/brands.ts'
import { listPauses, reachesAll } from './find.ts'

const verbs = ['pause', 'resume', 'stop', 'halt', 'publishing', 'all', 'emergency']
const routes = { pause: 'POST /api/publishing/pause', resume: 'POST /api/publishing/resume' } as const

/** Pausing and resuming everything, a brand or an account, from any page (SOC-47). */
export const pauseCommands: SearchCommands = {
  icons: { [routes.pause]: 'pause', [routes.resume]: 'send' },
  list: async (call, words) => (isAboutPauses(words) ? listCommands(call) : []),
}

/** Most searches mean something else, and don’t need the accounts of all brands. */
const isAboutPauses = (words: string): boolean =>
  words
    .toLowerCase()
    .split(/\s+/)
    .some((word) => word.length > 1 && verbs.some((verb) => verb.startsWith(word)))

async function listCommands(call: SearchCall): Promise<SearchCommand[]> {
  const { actor, db } = call
  if (actor.organization === null || actor.credential.test) return []
  const check = await readPermissions(call)
  const brands = (await listBrands(db, actor)).filter(({ id }) => check('accounts:write', id))
  const brandIds = brands.map(({ id }) => id)
  const [pauses, accounts] = await Promise.all([listPauses(db, actor, brandIds), listForBrands(db, actor, brandIds)])
  const names = new Map(brands.map(({ id, name }) => [id, name]))
  const paused = new Set(pauses.map(({ brandId, connectionId }) => connectionId ?? brandId))
  const canPauseAll = check('accounts:write') && reachesAll(actor)
  return [
    ...(canPauseAll ? [commandFor(paused.has(null), 'all publishing', null, {})] : []),
    ...brands.map(({ id, name }) => commandFor(paused.has(id), `publishing of ${name}`, null, { brandId: id })),
    ...accounts
      .filter(({ active }) => active)
      .map(({ id, brandId, provider, name }) =>
        commandFor(
          paused.has(id),
          accountName(provider, name),
          `${networkNames[provider]} · ${names.get(brandId) ?? ''}`,
          { brandId, connectionId: id },
        ),
      ),
  ]
}

const commandFor = (
  isPaused: boolean,
  object: string,
  detail: string | null,
  body: Record<string, string>,
): SearchCommand => ({
  label: `${isPaused ? 'Resume' : 'Pause'} ${object}`,
  detail,
  route: isPaused ? routes.resume : routes.pause,
  body,
  keywords: isPaused ? 'publishing start' : 'publishing stop halt emergency',
})
