import { letter } from './letter.tsx'
import { mailName } from './name.ts'

/** In case the browser was closed before the organization was opened. */
export const welcomeLetter = ({ workspace, href }: { workspace: string; href: string }) =>
  welcome(mailName(workspace), href)

const welcome = (workspace: string, href: string) =>
  letter({
    subject: `${workspace} is ready on Atrium`,
    paragraphs: [`Your organization ${workspace} is ready. Use this link to sign in.`],
    action: { label: `Open ${workspace}`, href },
    notes: [
      'This link expires in 72 hours and can be used once. After that, request a new one on the sign-in page.',
      'If you weren’t expecting this email, you can ignore it. No one can sign in without the link.',
    ],
  })
