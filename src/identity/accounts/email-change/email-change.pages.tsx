import { nullFor404 } from '#lib/errors.ts'
import { page } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { ConfirmEmail } from '#views/identity/accounts/email-change.tsx'
import { noReferrer } from '../../http/responses.ts'
import { EmailChangeConfirmation } from './contract.ts'
import { getEmailChange } from './email-change.operations.tsx'

/** Opening the page doesn't use up the link: mail programs open links before people do. */
export const emailChangePage = page({
  path: '/email-change/:token',
  limit: 'sign-in',
  permission: 'public',
  frame: 'door',
  title: 'Confirm your new email address',
  query: EmailChangeConfirmation,
  load: async ({ ask, input }) => {
    const change = await ask(getEmailChange, input).catch(nullFor404)
    return reply(change ? 200 : 404, { ...input, change }, { headers: noReferrer })
  },
  view: (props) => <ConfirmEmail {...props} />,
})
