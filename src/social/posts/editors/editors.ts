import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { requirePerson } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { ChangeCall } from '../../change-call.ts'
import type { PostEditorList } from '../../contract.ts'
import { postEditors } from '../../schema.ts'
import { get, keepUntilCommit } from '../posts.ts'

/** Seconds without a report after which a person is gone. Browsers slow hidden tabs down to one report a minute. */
const presentSeconds = 75
const maxListed = 20

const isPresent = gt(postEditors.seenAt, sql`clock_timestamp() - make_interval(secs => ${presentSeconds})`)

interface Tab {
  id: string
  tabId: string
}

/** The people who have the post open in the composer, and its saved version. @throws {Problem} 404 */
export async function listEditors(
  { db, actor, identity }: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity'>,
  id: string,
): Promise<z.input<typeof PostEditorList>> {
  const { version, updatedAt: savedAt, updatedBy } = await get(db, actor, id)
  const { personId, seenAt } = postEditors
  const present = await db
    .select({ personId, seenAt })
    .from(postEditors)
    .where(and(eq(postEditors.postId, id), isPresent))
    .orderBy(desc(seenAt), desc(personId))
    .limit(maxListed)
  const people = await identity.people([
    ...new Set([...present.map((editor) => editor.personId), ...(updatedBy ? [updatedBy] : [])]),
  ])
  const nameOf = (person: string) => people.get(person)?.name ?? null
  return {
    items: present.map((editor) => ({ ...editor, name: nameOf(editor.personId) })),
    nextCursor: null,
    version,
    savedAt,
    savedBy: updatedBy ? { personId: updatedBy, name: nameOf(updatedBy) } : null,
  }
}

/** Until the next report is due. @throws {Problem} 404, 403 for an API key */
export async function reportEditing({ db, actor, events }: ChangeCall, { id, tabId }: Tab): Promise<void> {
  requirePerson(actor)
  const { brandId } = await get(db, actor, id)
  await keepUntilCommit(db, id)
  const personId = actor.principal.id
  const own = and(eq(postEditors.postId, id), eq(postEditors.personId, personId))
  const [known] = await db.select({ personId: postEditors.personId }).from(postEditors).where(and(own, isPresent))
  const seen = { tabId, seenAt: sql`clock_timestamp()` }
  await db
    .insert(postEditors)
    .values({ brandId, postId: id, personId, ...seen })
    .onConflictDoUpdate({ target: [postEditors.postId, postEditors.personId], set: seen })
  if (!known) await events.publish(db, 'social.editors', { postId: id })
}

/** Does nothing when another tab of the person has the post open. @throws {Problem} 404 */
export async function endEditing({ db, actor, events }: ChangeCall, { id, tabId }: Tab): Promise<void> {
  requirePerson(actor)
  await get(db, actor, id)
  const own = and(eq(postEditors.postId, id), eq(postEditors.personId, actor.principal.id))
  const ended = await db
    .delete(postEditors)
    .where(and(own, eq(postEditors.tabId, tabId)))
    .returning({ postId: postEditors.postId })
  if (ended.length > 0) await events.publish(db, 'social.editors', { postId: id })
}
