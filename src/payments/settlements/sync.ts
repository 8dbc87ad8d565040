import type { PaymentsWork } from '../work.ts'
import { syncItem } from './advance-item.ts'
import { enqueueWork } from './work-items.ts'

/** For news of the provider: what has to be sent because of them is sent soon. @throws {Problem} of the gateway */
export async function syncSentItem(work: PaymentsWork, itemId: string): Promise<void> {
  const { needsWork } = await syncItem(work, itemId)
  if (needsWork) await enqueueWork(work.db, work, 1)
}
