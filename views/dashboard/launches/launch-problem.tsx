import { ButtonLink } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'

export interface LaunchProblemProps {
  app: { id: string; name: string }
  code: string
  detail: string
  /** Where the app can be opened instead. */
  choices: readonly { context: string; name: string }[]
}

export const LaunchProblem = ({ app, code, detail, choices }: LaunchProblemProps) => (
  <div class="card">
    <header>
      <span class="app-mark" data-size="lg" data-tone="plain">
        <Icon name="circle-alert" />
      </span>
      <h1 safe>{`${app.name} can’t be opened`}</h1>
      <p class="muted wrap-anywhere" safe>
        {detail}
      </p>
    </header>
    <div class="stack" style="--gap: var(--space-2)">
      {choices.map(({ context, name }) => (
        <ButtonLink
          label={`Open in ${name}`}
          size="lg"
          block
          href={`/launch/${app.id}?${new URLSearchParams({ context }).toString()}`}
        />
      ))}
      {code === 'app_not_installed' ? <ButtonLink label="Show apps" size="lg" block href="/apps" /> : null}
      <ButtonLink label="Back to the dashboard" variant="ghost" size="lg" block href="/dashboard" />
    </div>
  </div>
)
