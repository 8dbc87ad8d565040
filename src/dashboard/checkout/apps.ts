import { Problem } from '#lib/errors.ts'
import type { JobDependencies } from '#lib/job.ts'

type Work = Pick<JobDependencies, 'identity'>

/** Installs paid apps while the entitlement has room, first those that people use most. Returns how many are installed. */
export async function installApps(work: Work, organizationId: string, by: string): Promise<number> {
  const { apps, plan } = await work.identity.catalog(organizationId)
  const paid = apps.filter(({ paid: isPaid, surface_kind: kind }) => isPaid && kind === 'app')
  const wanted = paid.filter(({ installed }) => !installed).toSorted((a, b) => rankOf(a.slug) - rankOf(b.slug))
  const left = plan?.left ?? wanted.length
  for (const app of wanted.slice(0, left)) await install(work, organizationId, app.id, by)
  const { apps: now } = await work.identity.catalog(organizationId)
  return now.filter(({ paid: isPaid, installed }) => isPaid && installed).length
}

const first = ['platform-socialize', 'platform-pay']
const rankOf = (slug: string): number => (first.includes(slug) ? first.indexOf(slug) : first.length)

/** What was installed meanwhile, or is beyond the plan, is left as it is. */
export const install = (work: Work, organizationId: string, appId: string, by: string): Promise<void> =>
  work.identity.setInstalled(organizationId, appId, { installed: true, by }).catch((error: unknown) => {
    if (!(error instanceof Problem) || (error.status !== 402 && error.status !== 409)) throw error
  })
