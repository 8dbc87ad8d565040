import { ShownOnce } from '#views/ui/shown-once.tsx'

export const WorkflowSecret = ({ secret, done }: { secret?: string; done: string }) => (
  <ShownOnce
    secret={secret}
    title="Your signing secret"
    label="Signing secret"
    copyLabel="Copy secret"
    warning={{
      title: 'Copy the signing secret now',
      text: 'You won’t be able to see it again. Use it to verify that requests come from Atrium.',
    }}
    alreadyShown={{ title: 'This secret was already shown', text: 'If you lost it, rotate it.' }}
    done={done}
  >
    Works with any Standard Webhooks library.
  </ShownOnce>
)
