import type { Credential, CredentialRotation } from '#gateway/types'
import { Button } from '#views/ui/button.tsx'
import { Time } from '#views/ui/time.tsx'
import { providerName } from '../provider-name.ts'
import { idOf, urlOf } from './dialogs.tsx'
import { changesCredentials } from './secret-fields.tsx'

interface RotationProps {
  credential: Credential
  rotation: CredentialRotation
}

/** Two keys that are valid at the same time. */
export const Rotation = ({ credential, rotation }: RotationProps) => {
  const id = `${idOf(credential)}-rotation`
  const failed = rotation.health === 'unhealthy'
  return (
    <section class="section" aria-labelledby={id}>
      <header>
        <h2 id={id} safe>{`Rotating the ${providerName(credential.provider)} credential`}</h2>
        <small class="below">
          Started <Time at={rotation.startedAt} />
        </small>
      </header>
      <div class="card">
        <div class="body">
          <ol class="rotation">
            <li>
              <span class="key-code" safe>{`····${rotation.lastFour}`}</span>
              <span
                class="meter"
                role="img"
                aria-label={`${rotation.calls} of ${rotation.neededCalls} calls`}
                data-state={failed ? 'over' : undefined}
                style={`--value: ${Math.min(100, (100 * rotation.calls) / rotation.neededCalls)}%`}
              />
              <small class="wrap-anywhere" safe>
                {failed
                  ? `New. Not used, since the provider rejected it. ${rotation.lastError ?? ''}`
                  : `New. ${rotation.calls} of ${rotation.neededCalls} calls without an error.`}
              </small>
            </li>
            <li>
              <span class="key-code" safe>{`····${credential.lastFour}`}</span>
              <small>
                {failed ? (
                  'Old. Used for every call.'
                ) : (
                  <>
                    Old. Used when the new key is rejected. Retired at the latest <Time at={rotation.endsAt} />
                  </>
                )}
              </small>
            </li>
          </ol>
        </div>
        {credential.can.update ? (
          <footer>
            {failed ? null : (
              <Button
                label="Retire old key now"
                hx-post={urlOf(credential, '/rotation/finish')}
                {...changesCredentials}
              />
            )}
            <Button
              label="Roll back"
              variant="ghost"
              hx-delete={urlOf(credential, '/rotation')}
              {...changesCredentials}
            />
          </footer>
        ) : null}
      </div>
    </section>
  )
}
