import { letter } from './letter.tsx'
import { mailName } from './name.ts'

interface VerdictProps {
  app: string
  decision: 'approved' | 'rejected'
  reason?: string
  href: string
}

/** Tells a developer workspace's owners what was decided about their app. */
export const verdictLetter = ({ app, ...rest }: VerdictProps) => verdict({ app: mailName(app), ...rest })

const verdict = ({ app, decision, reason, href }: VerdictProps) =>
  letter({
    subject: `${app} was ${decision}`,
    paragraphs: [
      decision === 'approved'
        ? `${app} was approved. Publish it to bring it into the registry.`
        : `${app} was rejected. Change what is named, and submit it again.`,
      ...(reason ? [`Why: ${reason}`] : []),
    ],
    action: { label: 'Open the app', href },
    notes: ['You’re receiving this because you’re an owner of its developer workspace.'],
  })
