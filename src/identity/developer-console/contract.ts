import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { words } from '#lib/words.ts'

/** An organization as the developer console knows it (IDN-34). */
export const DeveloperWorkspace = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  developerWorkspace: z.boolean(),
  status: z.enum(['active', 'suspended', 'revoked']),
  reason: z.string().nullable().describe('Why it may not work; null while it may.'),
})
export type DeveloperWorkspace = z.output<typeof DeveloperWorkspace>
/** The same before it leaves. */
export type WorkspaceRow = z.input<typeof DeveloperWorkspace>

export const WorkspaceRevocation = z.object({
  id: Id,
  reason: words(500, 'Say why.').trim().min(1, 'Say why: the workspace’s people read it.'),
})
export type WorkspaceRevocation = z.output<typeof WorkspaceRevocation>
