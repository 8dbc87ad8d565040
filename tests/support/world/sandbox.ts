import type { Database } from '#lib/db.ts'
import { sandboxFiles, sandboxReceipts } from '../../../src/social/schema.ts'
import { dot } from './resources.ts'

/** On the sandbox network, which is public and has no organizations. */
export const sandboxPost = '01890000-0000-7000-8000-0000000000a1'
export const sandboxFile = '01890000-0000-7000-8000-0000000000a2'

export async function addSandboxObjects(db: Database): Promise<void> {
  await db.insert(sandboxReceipts).values({ id: sandboxPost, handle: 'lab', text: 'Sent to the lab' })
  await db.insert(sandboxFiles).values({ id: sandboxFile, handle: 'lab', contentType: 'image/png', content: dot })
}
