import { and, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { notFound } from '#lib/errors.ts'
import { stream, type Stream } from '#lib/reply.ts'
import { noReferrer } from '../../http/no-referrer.ts'
import { invoices, merchants } from '../../schema.ts'
import { drawDocument } from './draw.ts'
import { encodeMessage } from './message.ts'
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
  const message = encodeMessage({
    invoice: content,
    isVoid: marksVoid && invoice.status === 'void',
    cjkFont: config.PDF_CJK_FONT,
  })
  const digest = Bun.CryptoHasher.hash('sha256', message, 'hex')
  const bytes = await drawDocument({ digest, message, organizationId: invoice.organizationId })
  const name = `${invoice.number ?? 'draft'}.pdf`
  const file = {
    size: bytes.length,
    etag: `"${digest.slice(0, 32)}"`,
    stream: (range = { from: 0, end: bytes.length }) => new Blob([bytes.subarray(range.from, range.end)]).stream(),
  }
  return stream(file, 'application/pdf', {
    headers: { 'Content-Disposition': `inline; filename="${name}"`, 'Cache-Control': 'private, no-cache', ...headers },
  })
}
