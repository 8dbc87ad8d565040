import { Webhook as StandardWebhook } from 'standardwebhooks'
import { and, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { notFound, Problem } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { webhook } from '#lib/webhook.ts'
import { openCredential } from '../credentials/resolve.ts'
import { providerCredentials } from '../schema.ts'
import { applyReport, ResendReport } from './reports.ts'

const refuse = (detail: string): Problem => new Problem(401, 'invalid_signature', detail)

const Envelope = z.object({ type: z.string().max(100) })

/**
 * Delivery reports. The URL that a provider gets names the credential whose secret signs them: `?credential=<ID>`, or
 * none for the platform’s own.
 */
export const emailReports = webhook({
  name: 'gateway.email-reports',
  path: '/webhooks/email/:provider',
  summary: 'Receive delivery reports of emails',
  verify: async ({ raw, headers, params, query }, { db, secrets }) => {
    if (params.provider !== 'resend') throw notFound('webhook')
    const named = query.get('credential')
    if (named !== null && !Id.safeParse(named).success) throw refuse('The parameter credential must be an ID.')
    const { organizationId, id, provider, mode, status } = providerCredentials
    const [row] = await db
      .select()
      .from(providerCredentials)
      .where(
        and(
          eq(provider, params.provider),
          named === null ? and(isNull(organizationId), eq(mode, 'live'), eq(status, 'active')) : eq(id, named),
        ),
      )
    const secret = row && openCredential(secrets, row).secret['webhookSecret']
    if (!row || !secret) throw refuse('There is no credential with a webhook secret for this URL.')
    const eventId = headers.get('svix-id') ?? headers.get('webhook-id') ?? ''
    try {
      // Resend signs with the headers of Svix, by the same scheme.
      new StandardWebhook(secret).verify(new TextDecoder().decode(raw), {
        'webhook-id': eventId,
        'webhook-timestamp': headers.get('svix-timestamp') ?? headers.get('webhook-timestamp') ?? '',
        'webhook-signature': headers.get('svix-signature') ?? headers.get('webhook-signature') ?? '',
      })
    } catch (cause) {
      throw new Problem(401, 'invalid_signature', 'The signature is missing, wrong or too old.', { cause })
    }
    const { type } = Envelope.parse(JSON.parse(new TextDecoder().decode(raw)))
    return { id: `${row.organizationId ?? 'platform'} ${eventId}`, type }
  },
  handle: async ({ eventId, raw, receivedAt }, work) => {
    const report = ResendReport.safeParse(JSON.parse(new TextDecoder().decode(raw)))
    if (!report.success) return
    const [owner = ''] = eventId.split(' ')
    await applyReport(work, {
      organizationId: owner === 'platform' ? null : owner,
      report: report.data,
      at: receivedAt,
    })
  },
})
