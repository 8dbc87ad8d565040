/** Where mails are that a server without a mail server sends. */
export const KeptMailNote = () => (
  <p class="muted small">
    This server has no mail server. What it mails stands in its{' '}
    <a class="link" href="/dev/mailbox">
      mailbox
    </a>
    .
  </p>
)
