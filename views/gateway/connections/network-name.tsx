import { isNetwork, NetworkMark } from '#views/ui/marks.tsx'

/** With the mark of its network. */
export const NetworkName = ({ provider, name }: { provider: string; name: string }) => (
  <b class="row">
    {isNetwork(provider) ? <NetworkMark network={provider} /> : null}
    <span class="wrap-anywhere" safe>
      {name}
    </span>
  </b>
)
