import type { MemberKey } from '#identity/types'
import { Time } from '#views/ui/time.tsx'

interface MemberKeysProps {
  keys: MemberKey[]
  own: boolean
}

export const MemberKeys = ({ keys, own }: MemberKeysProps) =>
  keys.length === 0 ? (
    <></>
  ) : (
    <div class="stack">
      <p>
        {own ? (
          'Your API keys below will stop working until another admin rotates them:'
        ) : (
          <>
            These API keys will stop working until you{' '}
            <a class="link" href="/settings/keys">
              rotate
            </a>{' '}
            them:
          </>
        )}
      </p>
      <ul class="list" aria-label="API keys that stop working">
        {keys.map(({ name, lastFour, lastUsedAt }) => (
          <li>
            <span class="grow">
              <span class="wrap-anywhere" safe>
                {name}
              </span>
              <small>
                <code safe>{`…${lastFour}`}</code>{' '}
                {lastUsedAt ? (
                  <>
                    used <Time at={lastUsedAt} form="day" />
                  </>
                ) : (
                  'not used yet'
                )}
              </small>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
