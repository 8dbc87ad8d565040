import { ButtonLink } from '#views/ui/button.tsx'
import { Icon, type IconName } from '#views/ui/icon.tsx'

interface Way {
  icon: IconName
  label: string
  href: string
  detail: string
}

const ways: Way[] = [
  { icon: 'layout-grid', label: 'What Atrium is', href: '/', detail: 'Publishing, metering, sign-in, and payments' },
  { icon: 'receipt', label: 'Pricing', href: '/pricing', detail: 'Packages and seats' },
  { icon: 'code', label: 'API reference', href: '/openapi', detail: 'Every route, its permission, and its errors' },
  { icon: 'key-round', label: 'Sign in', href: '/login', detail: 'Only members see pages of an organization' },
]

/** The page of visitors for an address without a page. */
export const Missing = ({ path, requestId }: { path: string; requestId: string }) => (
  <section class="counter" data-narrow>
    <header>
      <p class="eyebrow">
        <Icon name="search" />
        404
      </p>
      <h1>
        Page not found:{' '}
        <code class="wrap-anywhere" safe>
          {path.slice(0, 200)}
        </code>
      </h1>
      <p class="lead">If a link on this site brought you here, tell us and we’ll fix it.</p>
    </header>
    <div class="stack" style="--gap: 1.5rem">
      <ul class="list">
        {ways.map(({ icon, label, href, detail }) => (
          <li>
            <Icon name={icon} />
            <span class="grow">
              <a class="row-link" href={href} safe>
                {label}
              </a>
              <small safe>{detail}</small>
            </span>
            <Icon name="chevron-right" />
          </li>
        ))}
      </ul>
      <div class="actions">
        <ButtonLink label="Go to the home page" variant="primary" href="/" />
        <ButtonLink label="Report a broken link" href="/feedback" />
      </div>
      <p class="small muted">
        Request ID <code safe>{requestId}</code>
      </p>
    </div>
  </section>
)
