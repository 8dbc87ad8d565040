import { and, desc, eq, isNull } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { publicUrl } from '#lib/public-url.ts'
import { verdictLetter } from '#views/emails/verdict.tsx'
import { ownersOf } from '../../organizations/owners.ts'
import { actionDefinitions, appReviews, developerApps, users } from '../../schema.ts'
import { findAnyApp, findApp, lockEditableApp, type DeveloperCall } from '../apps.ts'
import type { DeveloperAppRow, Verdict } from '../contract.ts'

const submitter = alias(users, 'submitter')
const decider = alias(users, 'decider')

/** Newest first; at most 100. */
export const reviewsOf = (db: Database, appId: string) =>
  db
    .select({
      id: appReviews.id,
      submittedBy: { id: submitter.id, name: submitter.name },
      submittedAt: appReviews.submittedAt,
      decision: appReviews.decision,
      reason: appReviews.reason,
      decidedBy: { id: decider.id, name: decider.name },
      decidedAt: appReviews.decidedAt,
    })
    .from(appReviews)
    .leftJoin(submitter, eq(submitter.id, appReviews.submittedBy))
    .leftJoin(decider, eq(decider.id, appReviews.decidedBy))
    .where(eq(appReviews.appId, appId))
    .orderBy(desc(appReviews.id))
    .limit(100)

/** @throws {Problem} 404, and 409 for an app that is under review or was approved without later changes */
export async function submitApp(call: DeveloperCall, id: string): Promise<DeveloperAppRow> {
  const { db, actor, now } = call
  const before = await lockEditableApp(call, id)
  if (before.status === 'approved' || before.status === 'published')
    throw conflict('nothing_to_review', 'The app hasn’t changed since it was approved.')
  await db.insert(appReviews).values({ id: newId(), appId: id, submittedBy: actor.principal.id, submittedAt: now() })
  return setStatus(call, before, 'submitted')
}

/** @throws {Problem} 404, and 409 for an app that isn't under review */
export async function withdrawFromReview(call: DeveloperCall, id: string): Promise<DeveloperAppRow> {
  const { db, actor, now } = call
  await db.select({ id: developerApps.id }).from(developerApps).where(eq(developerApps.id, id)).for('update')
  const before = await findApp(call, id)
  if (before.status !== 'submitted') throw notSubmitted()
  const decision = { decision: 'withdrawn' as const, decidedBy: actor.principal.id, decidedAt: now() }
  await db
    .update(appReviews)
    .set(decision)
    .where(and(eq(appReviews.appId, id), isNull(appReviews.decision)))
  return setStatus(call, before, 'draft')
}

async function setStatus(call: DeveloperCall, before: DeveloperAppRow, status: DeveloperAppRow['status']) {
  const { db } = call
  await db.update(developerApps).set({ status }).where(eq(developerApps.id, before.id))
  const { id } = before
  recordChange(db, { object: 'developer_app', id, before: { status: before.status }, after: { status } })
  return findApp(call, id)
}

type ReviewContext = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now' | 'mail' | 'config' | 'request'>

/** With its draft actions; mails the organization's owners. @throws {Problem} 404, 409 when not under review */
export async function decide(call: ReviewContext, { id, decision, reason }: Verdict): Promise<DeveloperAppRow> {
  const { db, actor, now } = call
  const by = { decidedBy: actor.principal.id, decidedAt: now() }
  await db.select({ id: developerApps.id }).from(developerApps).where(eq(developerApps.id, id)).for('update')
  const before = await findAnyApp(db, id)
  const waiting = and(eq(appReviews.appId, id), isNull(appReviews.decision))
  const [decided] = await db
    .update(appReviews)
    .set({ decision, reason, ...by })
    .where(waiting)
    .returning()
  if (!decided) throw notSubmitted()
  await db.update(developerApps).set({ status: decision }).where(eq(developerApps.id, id))
  if (decision === 'approved')
    await db
      .update(actionDefinitions)
      .set({ status: 'approved', approvedBy: by.decidedBy, approvedAt: by.decidedAt })
      .where(and(eq(actionDefinitions.appId, id), eq(actionDefinitions.status, 'draft')))
  const change = { object: 'developer_app', id, before: { status: before.status }, after: { status: decision, reason } }
  recordChange(db, change)
  recordChange(db, { ...change, organizationId: before.organizationId })
  await notifyOwners(call, before, { decision, reason })
  return findAnyApp(db, id)
}

async function notifyOwners(call: ReviewContext, app: DeveloperAppRow, verdict: Pick<Verdict, 'decision' | 'reason'>) {
  const { db, mail, config, request, now } = call
  const href = publicUrl(`/developers/apps/${app.id}?tab=review`, config, request)
  const letter = verdictLetter({ app: app.name, ...verdict, href })
  for (const { email } of await ownersOf(db, app.organizationId)) await mail.send(db, email, letter, now())
}

const notSubmitted = () => conflict('not_submitted', 'The app isn’t under review.')
