import { z } from 'zod'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { invalid, Problem } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { csvFile } from '#lib/response/csv-file.ts'
import { InboxDetail, InboxTable } from '#views/dashboard/marketing/inbox.tsx'
import { endAdminSessions, findAdminSession, openAdminSession, requireAdminSession } from './admin-session.ts'
import {
  AdminSession,
  AdminSessionInput,
  CurrentAdminSession,
  ErasedVisitor,
  InboxChange,
  InboxExport,
  InboxFilter,
  InboxItem,
  InboxList,
  VisitorErasure,
} from './contract.ts'
import { changeState, eraseVisitor, findInquiry, listInbox } from './store.ts'

export const listInquiries = operation({
  route: 'GET /api/admin/inbox',
  summary: 'List messages, waitlist entries and demo bookings',
  permission: 'super-admin',
  input: InboxFilter,
  output: InboxList,
  run: ({ db, input }) => listInbox(db, input),
  view: (list, { input }) => <InboxTable list={list} filter={input} />,
})

export const exportInquiries = operation({
  route: 'GET /api/admin/inbox/export',
  summary: 'Export the inbox as CSV',
  permission: 'super-admin',
  input: InboxExport,
  output: z.null(),
  streams: 'text/csv',
  run: async ({ db, input }) => csvFile('inbox', InboxItem, (page) => listInbox(db, { ...input, ...page })),
})

export const getInquiry = operation({
  route: 'GET /api/admin/inbox/:id',
  summary: 'Get a message, waitlist entry or demo booking',
  permission: 'super-admin',
  input: z.object({ id: Id }),
  output: InboxItem,
  run: async (call) => {
    const inquiry = await findInquiry(call.db, call.input.id)
    await auditedTransaction(call, async (tx) => recordChange(tx, { object: 'inquiry', id: inquiry.id }))
    return inquiry
  },
  view: (item) => <InboxDetail item={item} />,
})

export const updateInquiry = operation({
  route: 'PUT /api/admin/inbox/:id',
  summary: 'Mark a message as open, done or spam',
  permission: 'super-admin',
  input: InboxChange,
  output: InboxItem,
  run: async (call) => {
    const { id, state } = call.input
    await changeState(call, id, state)
    return reply(200, await findInquiry(call.db, id), { next: `/admin/inbox/${id}`, toast: 'Saved' })
  },
  view: (item) => <InboxDetail item={item} />,
})

export const eraseInquiries = operation({
  route: 'POST /api/admin/inbox/erasures',
  summary: 'Delete everything of an email address',
  permission: 'super-admin',
  input: VisitorErasure,
  output: ErasedVisitor,
  problems: { admin_session_required: 403 },
  run: async (call) => {
    await requireAdminSession(call)
    const erased = await eraseVisitor(call, call.input.email)
    return reply(200, { erased }, { next: '/admin/inbox', toast: erasedWords(erased) })
  },
})

function erasedWords(erased: number): string {
  if (erased === 0) return 'Nothing found of this address'
  return erased === 1 ? 'One entry erased' : `${erased} entries erased`
}

const wrongCode = () => invalid([{ path: 'code', message: 'Incorrect or already used code.' }])

export const createAdminSession = operation({
  route: 'POST /api/admin/session',
  summary: 'Create an admin session with a second factor',
  permission: 'super-admin',
  creates: true,
  limit: 'sign-in',
  input: AdminSessionInput,
  output: AdminSession,
  transaction: false,
  problems: { too_many_codes: 429, identity_unavailable: 503 },
  run: async (call) => {
    await call.identity.proveSecondFactor(call.actor.principal.id, call.input.code).catch((error: unknown) => {
      throw error instanceof Problem && error.status === 422 ? wrongCode() : error
    })
    const { expiresAt, cookie } = await auditedTransaction(call, async (tx) => {
      const opened = await openAdminSession(tx, call)
      recordChange(tx, {
        object: 'admin_session',
        id: call.actor.credential.id,
        after: { expiresAt: opened.expiresAt },
      })
      return opened
    })
    return reply(201, { expiresAt }, { cookies: [cookie], next: '/admin/inbox', toast: 'Confirmed' })
  },
})

export const getAdminSession = operation({
  route: 'GET /api/admin/session',
  summary: 'Get the admin session',
  permission: 'super-admin',
  input: z.object({}),
  output: CurrentAdminSession,
  run: async (call) => ({ expiresAt: await findAdminSession(call) }),
})

export const deleteAdminSession = operation({
  route: 'DELETE /api/admin/session',
  summary: 'End the admin session',
  permission: 'super-admin',
  input: z.object({}),
  output: z.null(),
  run: async (call) => {
    const cookie = await auditedTransaction(call, async (tx) => {
      recordChange(tx, { object: 'admin_session', id: call.actor.credential.id })
      return endAdminSessions(tx, call)
    })
    return reply(204, null, { cookies: [cookie], next: '/admin/inbox' })
  },
})
