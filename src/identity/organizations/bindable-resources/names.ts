import { and, eq, inArray, isNull } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Database } from '#lib/db.ts'
import { apiKeys, bindableResources } from '../../schema.ts'

/** Of API keys, revoked ones too, and of what credentials can be bound to. Those of other organizations are left out. */
export const listNames = (
  db: Database,
  organizationId: string,
  ids: string[],
): Promise<{ id: string; name: string }[]> =>
  unionAll(
    db
      .select({ id: apiKeys.id, name: apiKeys.name })
      .from(apiKeys)
      .where(and(eq(apiKeys.organizationId, organizationId), inArray(apiKeys.id, ids))),
    db
      .select({ id: bindableResources.resourceId, name: bindableResources.name })
      .from(bindableResources)
      .where(
        and(
          eq(bindableResources.organizationId, organizationId),
          inArray(bindableResources.resourceId, ids),
          isNull(bindableResources.deletedAt),
        ),
      ),
  )
