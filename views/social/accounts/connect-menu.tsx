import type { IntegrationList } from '#social/types'
import { NetworkMark } from '#views/ui/marks.tsx'
import { Button } from '#views/ui/button.tsx'
import { ConnectDialog, opensConnect } from './connect-dialog.tsx'

export const connectMenu = 'connect-menu'
export const connectDialogs = 'connect-dialogs'

/** Opens the choice of a network, which loads when it opens. `connectDialogs` is outside the form of the button. */
export const ConnectMenuButton = ({ brandId, isFirst }: { brandId: string; isFirst: boolean }) => (
  <>
    <Button
      label={isFirst ? 'Connect an account' : 'Connect account'}
      icon="plug"
      variant={isFirst ? undefined : 'ghost'}
      popovertarget={connectMenu}
    />
    <div
      class="popover menu"
      id={connectMenu}
      popover
      hx-get={`/api/integrations?brandId=${brandId}`}
      hx-trigger="open"
    />
  </>
)

/** The networks to choose from, and the dialog of each. */
export const ConnectMenu = ({ items, brand }: IntegrationList) => {
  const offered = items.filter(({ can }) => can.connect)
  return (
    <>
      {offered.map(({ provider, name }) => (
        <button type="button" {...opensConnect(provider)}>
          <NetworkMark network={provider} />
          <span safe>{name}</span>
        </button>
      ))}
      {brand ? (
        <hx-partial hx-target={`#${connectDialogs}`} hx-swap="innerHTML">
          {offered.map((integration) => (
            <ConnectDialog integration={integration} brand={brand} changing={changingTargets} />
          ))}
        </hx-partial>
      ) : null}
    </>
  )
}

const changingTargets = { 'hx-target': '#targets', 'hx-swap': 'outerHTML' } as const
