import { letter } from './letter.tsx'
import { mailName } from './name.ts'

interface VerdictProps {
  app: string
  decision: 'approved' | 'rejected'
  reason?: string
  href: string
}

export const verdictLetter = ({ app, ...rest }: VerdictProps) => verdict({ app: mailName(app), ...rest })

const verdict = ({ app, decision, reason, href }: VerdictProps) =>
  letter({
    subject: `${app} was ${decision}`,
    paragraphs: [
      decision === 'approved'
        ? `${app} was approved. Publish it to list it in the registry.`
        : `${app} was rejected. Make the requested changes, then submit it again.`,
      ...(reason ? [`Reason: ${reason}`] : []),
    ],
    action: { label: 'Open app', href },
    notes: ['You’re receiving this because you’re an owner of the app’s developer organization.'],
  })
