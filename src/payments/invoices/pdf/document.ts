import { and, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { notFound } from '#lib/errors.ts'
import type { Stream } from '#lib/reply.ts'
import { noReferrer } from '../../http/no-referrer.ts'
import { invoices, merchants } from '../../schema.ts'
import { pdfFile } from './file.ts'
import { contentOf, readOriginal } from '../read.ts'
import { readLines } from '../rows.ts'

type DocumentCall = Pick<Call, 'db' | 'config' | 'now'>

/** For people and keys of its organization. @throws {Problem} 404, 429, 503 */
export const readDocument = (call: DocumentCall & { actor: Actor }, id: string): Promise<Stream> =>
  documentOf(call, and(eq(invoices.id, id), eq(invoices.organizationId, organizationOf(call.actor, 'invoices:read'))))

/** For its buyer: with the token of the link that was sent. Unlike the archived one it says when it is void. @throws {Problem} 404, 429, 503 */
export const readSentDocument = (call: DocumentCall, token: string): Promise<Stream> =>
  documentOf(call, eq(invoices.token, token), { headers: noReferrer, marksVoid: true })

async function documentOf(
  { db, config, now }: DocumentCall,
  condition: ReturnType<typeof and>,
  { headers = {}, marksVoid = false }: { headers?: Record<string, string>; marksVoid?: boolean } = {},
): Promise<Stream> {
  const [found] = await db
    .select({ invoice: invoices, merchant: merchants })
    .from(invoices)
    .innerJoin(merchants, eq(merchants.id, invoices.merchantId))
    .where(condition)
  if (!found) throw notFound('invoice')
  const { invoice, merchant } = found
  const [lines, original] = await Promise.all([readLines(db, invoice.id), readOriginal(db, invoice)])
  const content = contentOf(invoice, { merchant, lines, original, now: now() })
  const isVoid = marksVoid && invoice.status === 'void'
  const drawing = { invoice: content, isVoid, cjkFont: config.PDF_CJK_FONT }
  return pdfFile(drawing, { organizationId: invoice.organizationId, name: `${invoice.number ?? 'draft'}.pdf`, headers })
}
