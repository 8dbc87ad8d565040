import { join } from 'node:path'
import { z } from 'zod'
import { readApart } from '../processing/read-apart.ts'

/** Its message is for the person who sent the file. */
export class UnreadableDocumentError extends Error {}

export const maxDocumentBytes = 100 * 1024 * 1024

/** Pages are null for a document that is encrypted. */
const DocumentFacts = z.object({ pages: z.int().min(1).max(100_000).nullable() })
export type DocumentFacts = z.output<typeof DocumentFacts>

const program = join(import.meta.dir, 'read-pages.ts')

/** @throws UnreadableDocumentError for a file without the structure of a PDF */
export async function countPages(path: string): Promise<DocumentFacts> {
  const read = await readApart({ program, path, facts: DocumentFacts })
  if (read === 'late' || read === 'unreadable')
    throw new UnreadableDocumentError('This PDF can’t be read. It may be damaged or incomplete.')
  return read
}
