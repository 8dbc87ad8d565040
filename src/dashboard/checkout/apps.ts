import { Problem } from '#lib/errors.ts'
import type { JobDependencies } from '#lib/job.ts'

type Work = Pick<JobDependencies, 'identity'>

/** Installs paid apps while the entitlement has room, first those that people use most. Returns how many are installed. */
export async function installApps(work: Work, organizationId: string, by: string): Promise<number> {
  const catalog = await work.identity.catalog(organizationId)
  const paid = catalog.filter(({ paid: isPaid, surface_kind: kind }) => isPaid && kind === 'app')
  const wanted = paid.filter(({ installed }) => !installed).toSorted((a, b) => rankOf(a.slug) - rankOf(b.slug))
  const { left } = await work.identity.entitlement(organizationId)
  for (const app of left === null ? wanted : wanted.slice(0, left)) await install(work, organizationId, app.id, by)
  return (await work.identity.catalog(organizationId)).filter(({ paid: isPaid, installed }) => isPaid && installed)
    .length
}

const first = ['platform-socialize', 'platform-pay']
const rankOf = (slug: string): number => (first.includes(slug) ? first.indexOf(slug) : first.length)

/** What was installed meanwhile, or is beyond the plan, is left as it is. */
export const install = (work: Work, organizationId: string, appId: string, by: string): Promise<void> =>
  work.identity.setInstalled(organizationId, appId, { installed: true, by }).catch((error: unknown) => {
    if (!(error instanceof Problem) || (error.status !== 402 && error.status !== 409)) throw error
  })
