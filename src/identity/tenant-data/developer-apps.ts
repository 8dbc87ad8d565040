import type { PgColumn } from 'drizzle-orm/pg-core'
import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import * as s from '../schema.ts'
import { through, withOrganization } from './rules.ts'

const ofApp = (appId: PgColumn) => through(appId, s.developerApps.id, s.developerApps.organizationId)

export const developerAppData: readonly TenantData[] = [
  tenantTable(s.developerApps, {
    organization: s.developerApps.organizationId,
    export: [
      ...(['id', 'organizationId', 'slug', 'name', 'description', 'webUrl', 'redirectUris', 'handoffUri'] as const),
      ...(['status', 'serviceId', 'createdBy', 'createdAt', 'publishedAt'] as const),
    ],
    ...withOrganization,
  }),
  tenantTable(s.developerAppPermissions, {
    organization: ofApp(s.developerAppPermissions.appId),
    export: ['appId', 'permission', 'description'],
    ...withOrganization,
  }),
  tenantTable(s.developerAppScopes, {
    organization: ofApp(s.developerAppScopes.appId),
    export: ['appId', 'serviceId', 'scope'],
    ...withOrganization,
  }),
  tenantTable(s.developerAppKeys, {
    organization: ofApp(s.developerAppKeys.appId),
    export: ['apiKeyId', 'appId'],
    ...withOrganization,
  }),
  tenantTable(s.appReviews, {
    organization: ofApp(s.appReviews.appId),
    export: ['id', 'appId', 'submittedBy', 'submittedAt', 'decision', 'reason', 'decidedAt'],
    ...withOrganization,
  }),
  tenantTable(s.actionDefinitions, {
    organization: ofApp(s.actionDefinitions.appId),
    export: [
      ...(['id', 'appId', 'name', 'version', 'summary', 'method', 'path', 'permission', 'inputSchema'] as const),
      ...(['status', 'createdBy', 'createdAt', 'approvedAt'] as const),
    ],
    ...withOrganization,
  }),
]
