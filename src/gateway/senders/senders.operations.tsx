import { z } from 'zod'
import { auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { nullableField, optionalField, plainText } from '#lib/text.ts'
import { DomainCard, DomainList } from '#views/gateway/senders/domain.tsx'
import { Senders } from '#views/gateway/senders/page.tsx'
import { SenderTable } from '#views/gateway/senders/sender-table.tsx'
import { Sender, SenderDomain, SenderDomainList, SenderList } from '../contract/senders.ts'
import { EmailReceipt } from '../contract/email.ts'
import { EmailAddress } from '../email/address.ts'
import { planWith } from '../email/jobs.ts'
import { sendTest } from '../email/test-email.ts'
import { mailHostOf } from '../email-transports/choose.ts'
import { conflict, notFound } from '#lib/errors.ts'
import { isTakenError, queryRecords, storeResult, takenMessage } from './check-domain.ts'
import { SenderDomainName } from './domain-name.ts'
import { createDomain, deleteDomain, describeDomain, findDomain, getDomain, listDomains, rotateKey } from './domains.ts'
import { createSender, deleteSender, getSender, listSenders, updateSender } from './senders.ts'

const next = '/gateway/senders'

async function readAll({ ask }: Pick<Call, 'ask'>) {
  const [senders, domains] = await Promise.all([ask(listSenderIdentities, {}), ask(listSenderDomains, {})])
  return { senders, domains }
}

/** What changed is shown with the other senders and domains. */
const viewAll = { view: async (_: unknown, call: Pick<Call, 'ask'>) => <Senders {...await readAll(call)} /> } as const

export const listSenderDomains = operation({
  route: 'GET /api/sender-domains',
  summary: 'List sender domains with their DNS records',
  permission: 'usage:read',
  input: z.object({}),
  output: SenderDomainList,
  run: (call) => listDomains(call),
  view: ({ items }) => <DomainList domains={items} />,
})

export const getSenderDomain = operation({
  route: 'GET /api/sender-domains/:id',
  summary: 'Get a sender domain with its DNS records',
  permission: 'usage:read',
  input: z.object({ id: Id }),
  output: SenderDomain,
  run: (call) => getDomain(call, call.input.id),
  view: (domain) => <DomainCard domain={domain} />,
})

export const createSenderDomain = operation({
  route: 'POST /api/sender-domains',
  summary: 'Create a sender domain',
  permission: 'org:admin',
  input: z.object({
    domain: SenderDomainName,
    kind: z
      .enum(['smtp', 'resend', 'cloudflare_email'])
      .default('smtp')
      .describe('smtp: through your mail server, or the platform’s when you have none; we sign with DKIM.'),
  }),
  output: SenderDomain,
  creates: true,
  problems: { domain_exists: 409, domain_taken: 409, too_many_domains: 409 },
  example: { domain: 'news.acme.example' },
  run: async (call) =>
    reply(201, await describeDomain(call, await createDomain(call, call.input)), { next, toast: 'Domain added' }),
  ...viewAll,
})

export const checkSenderDomain = operation({
  route: 'POST /api/sender-domains/:id/check',
  summary: 'Check the DNS records of a sender domain',
  permission: 'org:admin',
  input: z.object({ id: Id }),
  output: SenderDomain,
  problems: { domain_taken: 409 },
  transaction: false,
  audit: false,
  run: async (call) => {
    const row = await findDomain(call.db, call.actor, call.input.id)
    const result = await queryRecords(call.dns, row, await mailHostOf(call, row))
    const after = await auditedTransaction(call, (tx) => storeResult(tx, call, row, result)).catch((error: unknown) => {
      throw isTakenError(error) ? conflict('domain_taken', takenMessage(row.domain)) : error
    })
    if (!after) throw notFound('sender domain')
    return reply(200, await describeDomain(call, after), { next })
  },
  ...viewAll,
})

export const rotateDkimKey = operation({
  route: 'POST /api/sender-domains/:id/dkim-key',
  summary: 'Rotate the DKIM key of a domain',
  permission: 'org:admin',
  input: z.object({ id: Id }),
  output: SenderDomain,
  problems: { dkim_key_missing: 409 },
  run: async (call) =>
    reply(200, await describeDomain(call, await rotateKey(call, call.input.id)), { next, toast: 'Key rotated' }),
  ...viewAll,
})

export const deleteSenderDomain = operation({
  route: 'DELETE /api/sender-domains/:id',
  summary: 'Delete a sender domain with its senders',
  permission: 'org:admin',
  input: z.object({ id: Id }),
  output: z.null(),
  run: async (call) => {
    await deleteDomain(call, call.input.id)
    return reply(204, null, { next, toast: 'Domain deleted' })
  },
  ...viewAll,
})

export const listSenderIdentities = operation({
  route: 'GET /api/senders',
  summary: 'List senders',
  permission: 'usage:read',
  input: z.object({}),
  output: SenderList,
  run: (call) => listSenders(call),
  view: ({ items, can }) => <SenderTable senders={items} canCreate={can.create} />,
})

export const getSenderIdentity = operation({
  route: 'GET /api/senders/:id',
  summary: 'Get a sender',
  permission: 'usage:read',
  input: z.object({ id: Id }),
  output: Sender,
  run: (call) => getSender(call, call.input.id),
  view: (sender) => <SenderTable senders={[sender]} canCreate={false} />,
})

/** It becomes a header. */
const Name = plainText(100)
  .trim()
  .min(1)
  .regex(/^[^\r\n<>"]*$/, 'Must be a name without quotes and angle brackets.')
  .refine((name) => !/\p{Bidi_Control}/u.test(name), 'Must be a name without characters that change its direction.')
const UsedFor = plainText(100).trim()

export const createSenderIdentity = operation({
  route: 'POST /api/senders',
  summary: 'Create a sender',
  permission: 'org:admin',
  input: z.object({
    address: EmailAddress,
    name: Name,
    replyTo: optionalField(EmailAddress),
    usedFor: optionalField(UsedFor.describe('Such as receipts and orders.')),
    isDefault: z.stringbool().or(z.boolean()).optional().describe('The first sender is it unless set.'),
  }),
  output: Sender,
  creates: true,
  problems: { sender_exists: 409, too_many_senders: 409 },
  example: { address: 'hello@mail.acme.example', name: 'Acme Coffee' },
  run: async (call) =>
    reply(201, await getSender(call, await createSender(call, call.input)), { next, toast: 'Sender added' }),
  ...viewAll,
})

export const updateSenderIdentity = operation({
  route: 'PATCH /api/senders/:id',
  summary: 'Update a sender',
  permission: 'org:admin',
  input: z.object({
    id: Id,
    name: Name.optional(),
    replyTo: nullableField(EmailAddress).optional(),
    usedFor: nullableField(UsedFor).optional(),
    isDefault: z.literal(true).optional(),
    paused: z.boolean().optional().describe('false sends the emails that wait.'),
  }),
  output: Sender,
  run: async (call) => {
    const { id, ...change } = call.input
    await updateSender({ ...call, plan: planWith(call.queue) }, id, change)
    return reply(200, await getSender(call, id), { next, toast: 'Saved' })
  },
  ...viewAll,
})

export const deleteSenderIdentity = operation({
  route: 'DELETE /api/senders/:id',
  summary: 'Delete a sender',
  permission: 'org:admin',
  input: z.object({ id: Id }),
  output: z.null(),
  run: async (call) => {
    await deleteSender({ ...call, plan: planWith(call.queue) }, call.input.id)
    return reply(204, null, { next, toast: 'Sender deleted' })
  },
  ...viewAll,
})

export const testSender = operation({
  route: 'POST /api/senders/:id/test',
  summary: 'Send a test email',
  permission: 'org:admin',
  input: z.object({ id: Id, to: EmailAddress }),
  output: EmailReceipt,
  answers: { 202: EmailReceipt },
  transaction: false,
  problems: { budget_exceeded: 402, sender_not_allowed: 403, sender_not_ready: 409 },
  run: async (call) => reply(202, await sendTest(call, call.input), { next, toast: 'Test email queued' }),
  view: async ({ id }, call) => <Senders {...await readAll(call)} test={{ id, to: call.input.to }} />,
})
