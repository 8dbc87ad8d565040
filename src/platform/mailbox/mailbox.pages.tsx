import { z } from 'zod'
import { notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { KeptMailPage, Mailbox } from '#views/platform/mailbox.tsx'

const place = { permission: 'public', frame: 'plain', screen: 'mailbox' } as const

const list = page({
  ...place,
  path: '/dev/mailbox',
  title: 'Mailbox',
  query: z.object({}),
  load: async ({ db, mail }) => ({ mails: await mail.kept(db) }),
  view: (shown) => <Mailbox {...shown} />,
})

const one = page({
  ...place,
  path: '/dev/mailbox/:id',
  title: ({ subject }: { subject: string }) => subject,
  query: z.object({ id: Id }),
  load: async ({ db, mail, input }) => {
    const kept = await mail.open(db, input.id)
    if (!kept) throw notFound('mail')
    return kept
  },
  view: (kept) => <KeptMailPage mail={kept} />,
})

/** Where the mails of a development server and of tests arrive. */
export const mailbox = [list, one]
