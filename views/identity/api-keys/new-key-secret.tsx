import { ShownOnce } from '#views/ui/shown-once.tsx'

export const MadeKey = ({ text, done = '/settings/keys' }: { text?: string; done?: string }) => (
  <ShownOnce
    secret={text}
    label="Your new key"
    copyLabel="Copy key"
    warning={{ title: 'Copy it now', text: 'You won’t be able to see it again. Atrium only stores a hash of it.' }}
    alreadyShown={{ title: 'This key was already shown', text: 'If you lost it, rotate it.' }}
    done={done}
  >
    <>
      Programs send it as <code>Authorization: Bearer …</code>, never in a URL.
    </>
  </ShownOnce>
)
