import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { parameterOfPage } from '#lib/page.ts'
import { paging } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { plainText, optionalField } from '#lib/text.ts'
import { Instant } from '#lib/time.ts'
import {
  EmailTemplate,
  EmailTemplateList,
  MailDetail,
  MailLog,
  MailStatus,
  Suppression,
  SuppressionList,
} from '../contract/email.ts'
import { OpenedMail } from '#views/gateway/mail/detail.tsx'
import { MailList } from '#views/gateway/mail/log.tsx'
import { Suppressed } from '#views/gateway/mail/suppressed.tsx'
import { canManage } from '../senders/domains.ts'
import { EmailAddress } from './address.ts'
import { Subject, TemplateName } from './input.ts'
import { getMail, listMails } from './log.ts'
import { addSuppression, listSuppressions, removeSuppression } from './suppressions.ts'
import {
  createTemplate,
  deleteTemplate,
  describeTemplate,
  getTemplate,
  listTemplates,
  replaceTemplate,
} from './templates.ts'

const Search = optionalField(plainText(200).trim())

export const listLoggedEmails = operation({
  route: 'GET /api/mail',
  summary: 'List emails by recipient',
  permission: 'usage:read',
  input: z.object({
    ...paging,
    status: optionalField(MailStatus),
    q: Search.describe('Part of the subject or the recipient.'),
    senderId: optionalField(Id),
    applicationId: optionalField(plainText(100)),
    from: optionalField(Instant),
    until: optionalField(Instant),
  }),
  output: MailLog,
  run: (call) => listMails(call, call.input),
  view: (log, { input: { status, q, cursor } }) => <MailList log={log} query={{ status, q, cursor }} />,
})

export const getLoggedEmail = operation({
  route: 'GET /api/mail/:id',
  summary: 'Get an email with its activity',
  permission: 'usage:read',
  input: z.object({ id: Id }),
  output: MailDetail,
  run: (call) => getMail(call, call.input.id),
  view: (mail) => <OpenedMail mail={mail} />,
})

export const listSuppressedAddresses = operation({
  route: 'GET /api/suppressions',
  summary: 'List suppressed email addresses',
  permission: 'usage:read',
  input: z.object({ ...paging, q: Search }),
  output: SuppressionList,
  run: async (call) => {
    const [page, update] = await Promise.all([listSuppressions(call.db, call.actor, call.input), canManage(call)])
    return { ...page, can: { update } }
  },
  view: (list, { input }) => <Suppressed list={list} q={input.q} />,
})

/** As the page that changed it shows them. */
const viewAll = {
  view: async (_: unknown, call: Pick<Call, 'ask' | 'request'>) => {
    const { data: q } = Search.safeParse(parameterOfPage(call, 'q'))
    return <Suppressed list={await call.ask(listSuppressedAddresses, { q })} q={q} />
  },
} as const

export const suppressAddress = operation({
  route: 'POST /api/suppressions',
  summary: 'Add a suppressed email address',
  permission: 'org:admin',
  input: z.object({ address: EmailAddress, detail: optionalField(plainText(500).trim()) }),
  output: Suppression,
  creates: true,
  problems: { address_suppressed: 409 },
  run: async (call) =>
    reply(201, await addSuppression(call, call.input), {
      next: '/gateway/mail/suppressed',
      toast: 'Address suppressed',
    }),
  ...viewAll,
})

export const unsuppressAddress = operation({
  route: 'DELETE /api/suppressions/:id',
  summary: 'Remove a suppressed email address',
  permission: 'org:admin',
  input: z.object({ id: Id }),
  output: z.null(),
  run: async ({ db, actor, input }) => {
    await removeSuppression(db, actor, input.id)
    return reply(204, null, { next: '/gateway/mail/suppressed', toast: 'Sending allowed' })
  },
  ...viewAll,
})

const Body = optionalField(plainText(512 * 1024))
const TemplateDraft = z
  .object({
    name: TemplateName,
    subject: Subject.min(1),
    text: Body.describe('Variables are written as {{name}}.'),
    html: Body.describe('Values of variables are escaped.'),
  })
  .refine(({ text, html }) => text !== undefined || html !== undefined, {
    path: ['text'],
    message: 'Required without html.',
  })

export const listEmailTemplates = operation({
  route: 'GET /api/email-templates',
  summary: 'List email templates',
  permission: 'usage:read',
  input: z.object(paging),
  output: EmailTemplateList,
  run: (call) => listTemplates(call, call.input),
})

export const getEmailTemplate = operation({
  route: 'GET /api/email-templates/:id',
  summary: 'Get an email template',
  permission: 'usage:read',
  input: z.object({ id: Id }),
  output: EmailTemplate,
  run: async ({ db, actor, input }) => describeTemplate(await getTemplate(db, actor, input.id)),
})

export const createEmailTemplate = operation({
  route: 'POST /api/email-templates',
  summary: 'Create an email template',
  permission: 'org:admin',
  input: TemplateDraft,
  output: EmailTemplate,
  creates: true,
  problems: { template_exists: 409, too_many_templates: 409 },
  example: {
    name: 'invoice-reminder',
    subject: 'Invoice {{number}}',
    text: 'Hello {{name}}, invoice {{number}} is due.',
  },
  run: async (call) => reply(201, describeTemplate(await createTemplate(call, call.input))),
})

export const replaceEmailTemplate = operation({
  route: 'PUT /api/email-templates/:id',
  summary: 'Replace an email template',
  permission: 'org:admin',
  input: TemplateDraft.safeExtend({ id: Id }),
  output: EmailTemplate,
  problems: { template_exists: 409 },
  run: async (call) => describeTemplate(await replaceTemplate(call, call.input.id, call.input)),
})

export const deleteEmailTemplate = operation({
  route: 'DELETE /api/email-templates/:id',
  summary: 'Delete an email template',
  permission: 'org:admin',
  input: z.object({ id: Id }),
  output: z.null(),
  run: async ({ db, actor, input }) => {
    await deleteTemplate(db, actor, input.id)
    return reply(204, null)
  },
})
