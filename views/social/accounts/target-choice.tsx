import type { TargetChoice } from '#social/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Empty, Notice } from '#views/ui/feedback.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Form } from '#views/ui/form.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { networkNames } from '../posts/post-text.ts'

export const TargetChoicePage = (props: TargetChoice) => {
  const { brand, provider, choice, leftOut, items } = props
  const name = networkNames[provider]
  const accounts = `/workspace/accounts?brandId=${brand.id}`
  const firstPossible = items.find(({ refusal }) => refusal === null)
  return (
    <>
      <PageHeader title={`Choose where ${brand.name} can publish`} crumbs={[{ href: accounts, label: 'Accounts' }]} />
      <div class="page stack" style="--gap: 1.5rem">
        {leftOut.length > 0 ? (
          <Notice
            tone="warning"
            role="status"
            title={`You left out ${leftOut.join(', ')}`}
            text={`What was connected before stays as it was. Connect ${name} again to include it.`}
          />
        ) : null}
        {items.length === 0 ? (
          <NothingOffered {...props} accounts={accounts} />
        ) : (
          <Form class="stack" style="--gap: 1.5rem" hx-post={`/api/integrations/${provider}/targets`} hx-swap="none">
            <input type="hidden" name="choice" value={choice} />
            <fieldset class="section">
              <legend class="visually-hidden" safe>
                {name}
              </legend>
              <div class="field">
                <div class="card">
                  <ul class="list" style="--pad: 1rem; --row: 3.5rem">
                    {items.map((target) => (
                      <Target target={target} isFirst={target === firstPossible} />
                    ))}
                  </ul>
                </div>
                <p class="error" id="targets-error">
                  <Icon name="circle-alert" />
                  <span />
                </p>
              </div>
            </fieldset>
            <div class="dock">
              <p class="small muted">Connecting never posts anything.</p>
              <span class="push wide-only" />
              <ButtonLink label="Cancel" variant="ghost" href={accounts} />
              {firstPossible ? <Button label="Connect" variant="primary" type="submit" /> : null}
            </div>
          </Form>
        )}
      </div>
    </>
  )
}

/** Networks with a choice list only what the person chose in their dialog, or has a role in. */
const whyNothing: Partial<Record<TargetChoice['provider'], string>> = {
  facebook:
    'Facebook gave Atrium access to no Page. You may have left out your Pages in its dialog, or you manage none.',
  'linkedin-page':
    'LinkedIn lists no Page in which you have a role. Ask an administrator of your Page for one, or sign in to LinkedIn with another account.',
}

const NothingOffered = ({ brand, provider, unsavedId, accounts }: TargetChoice & { accounts: string }) => (
  <Empty
    icon="plug"
    title="Nothing to connect"
    text={whyNothing[provider] ?? `${networkNames[provider]} gave Atrium access to no account.`}
  >
    <Form hx-post={`/api/integrations/${provider}/connect`}>
      <input type="hidden" name="brandId" value={brand.id} />
      {unsavedId ? <input type="hidden" name="unsavedId" value={unsavedId} /> : null}
      <Button label="Connect again" icon="rotate-cw" variant="primary" type="submit" />
    </Form>
    <ButtonLink label="Back to accounts" href={accounts} />
  </Empty>
)

const Target = ({ target, isFirst }: { target: TargetChoice['items'][number]; isFirst: boolean }) => (
  <li>
    <label class="check grow">
      <input
        type="checkbox"
        name="targets[]"
        value={target.id}
        id={isFirst ? 'targets' : undefined}
        checked={target.refusal === null && target.warning === null}
        disabled={target.refusal !== null}
      />
      <span class="grow">
        <b class="wrap-anywhere" safe>
          {target.name}
        </b>{' '}
        <small safe>{target.isConnected ? `${target.detail}, reconnects` : target.detail}</small>
        {target.warning === null ? null : (
          <small data-tone="warning" safe>
            {target.warning}
          </small>
        )}
        {target.refusal === null ? null : (
          <small data-tone="danger" safe>
            {target.refusal}
          </small>
        )}
      </span>
    </label>
  </li>
)
