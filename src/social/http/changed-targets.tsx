import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { ChangedTargets } from '#views/social/posts/changed-targets.tsx'
import { accountsOf } from '#views/social/posts/composer-targets.tsx'
import { listPostTargets } from '../posts/posts.operations.tsx'
import { askFirstSteps } from './first-steps.ts'

/** The accounts of a composer, and what else it shows of them. */
export async function drawChangedTargets(
  call: Pick<Call<unknown, Actor>, 'actor' | 'ask' | 'identity'>,
  brand: { id: string; name: string },
): Promise<JSX.Element> {
  const { items, can } = await call.ask(listPostTargets, { brandId: brand.id })
  const steps = await askFirstSteps(call, { page: 'composer', brand, hasAccount: items.length > 0 })
  return <ChangedTargets accounts={accountsOf(items)} brand={brand} canConnect={can.connect} steps={steps} />
}
