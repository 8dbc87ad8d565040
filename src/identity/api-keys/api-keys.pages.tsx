import { and, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { page } from '#lib/page.ts'
import { words } from '#lib/words.ts'
import { ApiKeys, type ApiKeysProps } from '#views/identity/api-keys/api-keys.tsx'
import { namesOf } from '../accounts/accounts.ts'
import { listAgents } from './agents/agents.ts'
import { listOffered } from '../organizations/bindable-resources/bindable-resources.ts'
import { memberships } from '../schema.ts'
import { scopesOf } from '../registry/services.ts'
import { list, organizationOf } from './api-keys.ts'
import { listManagedServices } from './authority.ts'
import { WatchedApiKey } from './contract.ts'
import { leastPrivilege } from './least-privilege.ts'

/** More than most organizations have; the page loads further keys on request. */
const pageSize = 50
const defaultService = 'platform-socialize'

export const apiKeysPage = page({
  path: '/settings/keys',
  permission: 'role:admin',
  frame: 'settings',
  screen: 'keys',
  title: 'API keys',
  query: z.object({ cursor: z.string().max(500).optional(), service: words(100).optional().catch(undefined) }),
  load: async (call): Promise<ApiKeysProps> => {
    const { db, actor, input } = call
    await call.keyUses.flush()
    const services = await listManagedServices(db, actor)
    const serviceOf = (slug: string | undefined) => services.find((each) => each.slug === slug)
    const service = serviceOf(input.service) ?? serviceOf(defaultService) ?? services[0]
    const [{ items, nextCursor }, bindables, agents] = await Promise.all([
      list(db, actor, { limit: pageSize, cursor: input.cursor }),
      listOffered(db, actor),
      listAgents(call, { id: organizationOf(actor), limit: 100 }),
    ])
    return {
      keys: z.array(WatchedApiKey).parse(items.map((key) => ({ ...key, suggestion: leastPrivilege(key, call.now()) }))),
      nextCursor,
      makers: await makersOf(db, actor, [...new Set(items.map(({ createdBy }) => createdBy))]),
      services,
      service: service?.slug ?? defaultService,
      scopes: service ? await heldScopes(db, actor, service.id) : [],
      bindables: bindables.filter((each) => each.service === service?.slug),
      resources: bindables,
      agents: agents.items,
      now: call.now(),
    }
  },
  view: (props) => <ApiKeys {...props} />,
})

/** People are offered only the scopes that they have themselves. */
async function heldScopes(db: Database, actor: Actor, serviceId: string) {
  const { items } = await scopesOf(db, serviceId)
  return items.filter(({ permission }) => actor.permissions.has(`${serviceId}.${permission}`))
}

/** The people whose keys these are, and whether they are still members. */
async function makersOf(db: Database, actor: Actor, ids: string[]): Promise<ApiKeysProps['makers']> {
  const ofThis = and(eq(memberships.organizationId, organizationOf(actor)), inArray(memberships.userId, ids))
  const [people, here] = await Promise.all([
    namesOf(db, ids),
    db.select({ id: memberships.userId }).from(memberships).where(ofThis),
  ])
  return people.map((person) => ({ ...person, isHere: here.some(({ id }) => id === person.id) }))
}
