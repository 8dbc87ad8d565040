import { presentedBy } from '#identity'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import type { ReportDimension } from './contract/usage-report.ts'

/** Names of people, apps, API keys and brands by what usage calls them. Unknown ones are left out. */
export async function nameKeys(
  call: Call<unknown, Actor>,
  groupBy: ReportDimension,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map()
  if (groupBy === 'user') return namePeople(call, keys)
  if (groupBy === 'apiKey' || groupBy === 'brand') return nameResources(call, keys)
  return groupBy === 'application' ? nameApps(call) : new Map()
}

const isId = (text: string): boolean => Id.safeParse(text).success

/** API keys and brands of the active organization. */
async function nameResources(
  { identity, actor }: Pick<Call<unknown, Actor>, 'identity' | 'actor'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const known = ids.filter(isId)
  return actor.organization && known.length > 0 ? identity.names(actor.organization.id, known) : new Map()
}

async function namePeople({ identity }: Call, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const people = await identity.people([...new Set(ids)].filter(isId))
  return new Map([...people].map(([id, { name }]) => [id, name]))
}

/** By slug and by ID. */
export async function nameApps({
  identity,
  request,
  actor,
}: Call<unknown, Actor>): Promise<ReadonlyMap<string, string>> {
  try {
    const apps = await identity.apps(presentedBy(request), actor.organization?.id ?? null)
    return new Map(apps.flatMap(({ id, slug, name }) => [[id, name] as const, [slug, name] as const]))
  } catch (error) {
    // Without the list of services, such as for a service, apps are shown as they were reported.
    if (error instanceof Problem) return new Map()
    throw error
  }
}

interface Named {
  applicationId: string | null
  apiKeyId?: string | null
  userId: string | null
}

/** Adds the names of apps, API keys and people. */
export async function nameRecords<Row extends Named>(call: Call<unknown, Actor>, rows: readonly Row[]) {
  const [apps, people, keys] = await Promise.all([
    rows.some(({ applicationId }) => applicationId !== null) ? nameApps(call) : null,
    namePeople(
      call,
      rows.flatMap(({ userId }) => userId ?? []),
    ),
    nameResources(
      call,
      rows.flatMap(({ apiKeyId }) => apiKeyId ?? []),
    ),
  ])
  return rows.map((row) => ({
    ...row,
    applicationName: (row.applicationId && apps?.get(row.applicationId)) || null,
    apiKeyName: (row.apiKeyId && keys.get(row.apiKeyId)) || null,
    userName: (row.userId && people.get(row.userId)) || null,
  }))
}
