import type { Actor } from '#lib/actor.ts'
import { isAllowed } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { LoadedWidget } from '../widgets/contract.ts'
import { loadInstalled } from '../widgets/load-installed.ts'
import { Grid } from '#views/dashboard/grid/grid.tsx'
import type { Dashboard } from './contract.ts'
import { getDashboard } from './layout.operations.tsx'

/** With the widgets that are there at once; the others load themselves, so that none waits for another. */
export async function drawDashboard(call: Call<unknown, Actor>): Promise<() => JSX.Element> {
  const dashboard = await call.ask(getDashboard, {})
  const loaded = await readEarly(call, dashboard)
  return () => <Grid {...dashboard} loaded={loaded} />
}

async function readEarly(call: Call<unknown, Actor>, { widgets }: Dashboard): Promise<LoadedWidget[]> {
  const { actor, identity, config } = call
  const { WIDGETS_WAIT_MS: waitMs } = config
  if (waitMs === 0) return []
  if (!isAllowed(actor, 'widgets:read', await identity.serviceId('platform-dashboard-api'))) return []
  const apps = widgets.filter(({ hidden }) => !hidden).map(({ app }) => app)
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), waitMs)
  const reads = await loadInstalled(call, { apps })
  const read = await Promise.all(reads.map((each) => Promise.race([each.catch(() => null), late.promise])))
  clearTimeout(timer)
  return read.filter((each) => each !== null)
}
