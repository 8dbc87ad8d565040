import { Notice } from '#views/ui/feedback.tsx'

export const KeptMailNote = () => (
  <Notice tone="info">
    <p>
      This is a development server. Its emails stay in the{' '}
      <a class="link" href="/dev/mailbox">
        mailbox
      </a>
      .
    </p>
  </Notice>
)
