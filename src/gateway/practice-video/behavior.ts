import { and, eq, gt, inArray, lt, ne, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { PracticeVideoBehavior, type RequestKind } from './contract.ts'
import { practiceVideoBehaviors } from './schema.ts'

const defaultBehavior: PracticeVideoBehavior = { mode: 'ok' }

const { project: projectColumn, remaining: remainingColumn, updatedAt } = practiceVideoBehaviors

type Row = typeof practiceVideoBehaviors.$inferSelect

const toBehavior = ({ behavior, remaining }: Pick<Row, 'behavior' | 'remaining'>): PracticeVideoBehavior => ({
  ...PracticeVideoBehavior.parse(behavior),
  ...(remaining !== null && { times: remaining }),
})

export async function getBehavior(db: Database, project = ''): Promise<PracticeVideoBehavior> {
  const [row] = await db.select().from(practiceVideoBehaviors).where(eq(projectColumn, project))
  return row ? toBehavior(row) : defaultBehavior
}

export async function setBehavior(
  db: Database,
  project: string | undefined,
  behavior: PracticeVideoBehavior,
): Promise<PracticeVideoBehavior> {
  const values = { behavior, remaining: behavior.times ?? null, updatedAt: sql`now()` }
  await db
    .delete(practiceVideoBehaviors)
    .where(and(lt(updatedAt, sql`now() - interval '1 day'`), ne(projectColumn, '')))
  await db
    .insert(practiceVideoBehaviors)
    .values({ project: project ?? '', ...values })
    .onConflictDoUpdate({ target: projectColumn, set: values })
  return behavior
}

const kindsOf: Partial<Record<PracticeVideoBehavior['mode'], readonly RequestKind[]>> = {
  cut: ['chunk'],
  expire_session: ['chunk', 'probe'],
}

const affects = ({ mode, on }: PracticeVideoBehavior, kind: RequestKind): boolean =>
  (on ?? kind) === kind && (kindsOf[mode] ?? [kind]).includes(kind)

/** The behavior for a request that just arrived; uses one of its `times`. A project counts more than all. */
export async function takeBehavior(db: Database, project: string, kind: RequestKind): Promise<PracticeVideoBehavior> {
  const rows = await db
    .select()
    .from(practiceVideoBehaviors)
    .where(inArray(projectColumn, ['', project]))
  for (const row of rows.toSorted((a, b) => b.project.length - a.project.length)) {
    const behavior = toBehavior(row)
    if (!affects(behavior, kind)) continue
    if (row.remaining === null) return behavior
    const [taken] = await db
      .update(practiceVideoBehaviors)
      .set({ remaining: sql`${remainingColumn} - 1` })
      .where(and(eq(projectColumn, row.project), gt(remainingColumn, 0)))
      .returning({ remaining: remainingColumn })
    if (taken) return behavior
  }
  return defaultBehavior
}
