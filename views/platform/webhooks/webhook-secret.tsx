import { ShownOnce } from '#views/ui/shown-once.tsx'

interface WebhookSecretProps {
  secret?: string
  done: string
}

export const WebhookSecret = ({ secret, done }: WebhookSecretProps) => (
  <ShownOnce
    secret={secret}
    title="Your new signing secret"
    label="Signing secret"
    copyLabel="Copy secret"
    warning={{
      title: 'Copy the signing secret now',
      text: 'You won’t be able to see it again. Use it to verify that events come from Atrium.',
    }}
    alreadyShown={{ title: 'This secret was already shown', text: 'If you lost it, rotate it.' }}
    done={done}
  >
    Works with any Standard Webhooks library.
  </ShownOnce>
)
