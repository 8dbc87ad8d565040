export const KeptMailNote = () => (
  <p class="muted small">
    Emails aren’t sent from this server. Read them in its{' '}
    <a class="link" href="/dev/mailbox">
      mailbox
    </a>
    .
  </p>
)
