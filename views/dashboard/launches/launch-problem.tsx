import { ButtonLink } from '#views/ui/button.tsx'
import { Choices, DoorCard } from '#views/identity/sign-in/door-card.tsx'

export interface LaunchProblemProps {
  app: { id: string; name: string }
  code: string
  detail: string
  /** Where the app can be opened instead. */
  choices: readonly { context: string; name: string }[]
}

export const LaunchProblem = ({ app, code, detail, choices }: LaunchProblemProps) => (
  <DoorCard title={`${app.name} can’t be opened`} icon="circle-alert" lead={<span safe>{detail}</span>}>
    <Choices>
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
    </Choices>
  </DoorCard>
)
