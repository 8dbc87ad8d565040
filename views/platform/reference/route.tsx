import { Badge } from '#views/ui/marks.tsx'

/** A path can break after its slashes. */
export const Route = ({ method, path }: { method: string; path: string }) => (
  <code class="route">
    <b safe>{method}</b>{' '}
    {path.split(/(?<=\/)/).map((part) => (
      <>
        <span safe>{part}</span>
        <wbr />
      </>
    ))}
  </code>
)

const words: Record<string, string> = {
  public: 'Anyone',
  'signed-in': 'Any signed-in user',
  person: 'Any signed-in user, including through an app',
  known: 'Any credential',
  service: 'Services',
  signature: 'Signature',
}

export const Permission = ({ name }: { name: string }) => (
  <Badge label={words[name] ?? name} tone={name === 'public' ? 'info' : undefined} />
)
