import type { Provided } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { imagesEvent } from './images.topic.ts'

/** Tells open pages that a generation of the brand changed. */
export const announce = (
  tx: Database,
  { events }: Pick<Provided, 'events'>,
  { brandId }: { brandId: string },
): Promise<void> => events.publish(tx, imagesEvent, { brandId })
