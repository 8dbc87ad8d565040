import type { ChangeCall } from '../change-call.ts'

interface Changed {
  id: string
  brandId: string
  dueAt: Date | null
}

export async function publishPostChanges(
  { db, events }: Pick<ChangeCall, 'db' | 'events'>,
  changed: readonly Changed[],
): Promise<void> {
  for (const { id, brandId } of changed) await events.publish(db, 'social.post', { brandId, postId: id })
  const due = changed.flatMap(({ dueAt }) => dueAt ?? []).toSorted((one, other) => Number(one) - Number(other))
  if (due[0]) await events.publish(db, 'social.due', { at: due[0].toISOString() })
}
