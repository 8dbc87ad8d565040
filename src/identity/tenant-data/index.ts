import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import * as s from '../schema.ts'
import { credentialData } from './credentials.ts'
import { developerAppData } from './developer-apps.ts'
import { organizationData } from './organizations.ts'
import { peopleData } from './people.ts'
import { day, shortLived } from './rules.ts'

/** Rows are erased in this order. */
export const identityData: readonly TenantData[] = [
  ...organizationData,
  ...developerAppData,
  ...peopleData,
  ...credentialData,
  // Not of a tenant
  ...[
    { table: s.signInFailures, after: s.signInFailures.lastFailedAt, ms: day },
    { table: s.serviceAssertions, after: s.serviceAssertions.expiresAt, ms: 0 },
    { table: s.spentServiceTokens, after: s.spentServiceTokens.expiresAt, ms: 0 },
  ].map(({ table, ...retention }) => tenantTable(table, { export: shortLived, erasure: {}, retention })),

  // Last, since rows declared `cascade` are deleted with it.
  tenantTable(s.organizations, {
    organization: s.organizations.id,
    export: [
      'id',
      'slug',
      'name',
      'developerWorkspace',
      'requiresSecondFactor',
      'timeZone',
      'logoSha256',
      'settings',
      'createdAt',
    ],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
]
