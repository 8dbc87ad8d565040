import type { Database } from '#lib/db.ts'
import { actionsOf } from '../actions/actions.ts'
import { findAnyApp } from '../apps.ts'
import { readDeveloperOrganization } from '../developer-organization.ts'
import { reviewsOf } from './reviews.ts'

/** @throws {Problem} 404 */
export async function getAdminApp(db: Database, id: string) {
  const app = await findAnyApp(db, id)
  const [organization, actions, reviews] = await Promise.all([
    readDeveloperOrganization(db, app.organizationId),
    actionsOf(db, id),
    reviewsOf(db, id),
  ])
  return { ...app, organization: { id: organization.id, name: organization.name }, actions, reviews }
}
