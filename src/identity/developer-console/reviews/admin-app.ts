import type { Database } from '#lib/db.ts'
import { actionsOf } from '../actions/actions.ts'
import { findAnyApp } from '../apps.ts'
import { readWorkspace } from '../workspace.ts'
import { reviewsOf } from './reviews.ts'

/** @throws {Problem} 404 */
export async function getAdminApp(db: Database, id: string) {
  const app = await findAnyApp(db, id)
  const [workspace, actions, reviews] = await Promise.all([
    readWorkspace(db, app.organizationId),
    actionsOf(db, id),
    reviewsOf(db, id),
  ])
  return { ...app, organization: { id: workspace.id, name: workspace.name }, actions, reviews }
}
