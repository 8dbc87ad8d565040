import { letter } from './letter.tsx'
import { mailName } from './name.ts'

/** Goes with a workspace that a checkout made, in case the browser was closed before it was opened. */
export const welcomeLetter = ({ workspace, href }: { workspace: string; href: string }) =>
  welcome(mailName(workspace), href)

const welcome = (workspace: string, href: string) =>
  letter({
    subject: `${workspace} is ready on Atrium`,
    paragraphs: [`Your workspace ${workspace} is ready. If you are not in it already, this link signs you in.`],
    action: { label: `Open ${workspace}`, href },
    notes: [
      'The link works once, for 72 hours. After that, ask for a new one where you sign in.',
      'If you don’t know why you got this mail, ignore it: no one can sign in without the link.',
    ],
  })
